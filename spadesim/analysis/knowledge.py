"""A decision in text: what the seat knew, and what bots would do in its place."""

from spadesim.analysis.diagram import OWNER_STYLES, card_span, cards_line, standing_text
from spadesim.analysis.lines import Block, Line, Span, line, wrapped
from spadesim.analysis.words import SIDES, SIGNS, cards_signs, deed_text, fault_sentence, side_labels, title
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEP, KEEPING, PLAYING
from spadesim.match.moment import Answer, Moment
from spadesim.match.record import Choice, Decision, Replay
from spadesim.notation import SEAT_NAMES, SEATS, bid_text, card_text

LABEL = 13


def moment_block(played: Replay, seen: Moment, columns: int) -> Block:
    """All that a seat knew at a decision, and the answers of the bots that were asked.

    Parameters
    ----------
    played : Replay
    seen : Moment
    columns : int
    """
    rows = wrapped(title(played, seen.hand.number), columns, "head")
    rows += [_who(played, seen), line()]
    rows += [_labelled("hand", _holding(seen)), *_before(seen)]
    if seen.phase == PLAYING:
        rows += [_labelled("legal", cards_line(seen.legal)), _labelled("this trick", _trick(seen))]
    if seen.phase in (BIDDING, PLAYING):
        rows += [_labelled("bids", _bids(seen))]
    if seen.phase == PLAYING:
        rows += [_labelled("tricks won", _tricks(seen)), _labelled("shown out", _voids(seen))]
        rows += [_labelled("played", cards_line(seen.played)), _labelled("unseen", cards_line(seen.unseen))]
        broken = "broken" if seen.spades_broken else "not broken yet"
        rows += [_labelled("spades", line(broken))]
    rows += [_labelled("score", line(_scores(seen))), line()]
    return [*rows, *_made(played, seen, columns), *_answers(seen)]


def _who(played: Replay, seen: Moment) -> Line:
    what = {
        BIDDING: "before its bid",
        PLAYING: f"in trick {seen.number + 1}",
        KEEPING: f"in turn {seen.number + 1} of its draw",
        DECLARING: "when asked for a blind nil",
        EXCHANGING: "before its exchange",
    }[seen.phase]
    name = played.name_at(seen.room, seen.seat)
    style = OWNER_STYLES[played.rooms[seen.room].owner(seen.seat)]
    return line(f"What {SEAT_NAMES[seen.seat]} (", Span(name, style), f") knew {what}, room {seen.room}")


def _labelled(label: str, rest: Line) -> Line:
    return (Span(f"{label:<{LABEL}}", "dim"), *rest)


def _holding(seen: Moment) -> Line:
    if seen.phase == DECLARING:
        return line(Span("not seen yet", "dim"))
    return cards_line(seen.holding)


def _before(seen: Moment) -> Block:
    """What the seat knew of the draw, of blind nils and of exchanges; nothing at tables without them."""
    rows: Block = []
    if seen.offered >= 0:
        rows.append(_labelled("offered", line(card_span(seen.offered))))
    if seen.has_draw and seen.phase != DECLARING:
        rows.append(_labelled("discards", cards_line(seen.discards)))
    if seen.may_be_back:
        rows.append(_labelled("may be back", cards_line(seen.may_be_back)))
    if any(seen.turns) or seen.phase == KEEPING:
        turns = [f"{SEATS[seat]} {_kept(text)}" for seat, text in enumerate(seen.turns)]
        rows.append(_labelled("first cards", line("   ".join(turns))))
    if seen.phase == EXCHANGING:
        rows.append(_labelled("may exchange", line(f"up to {seen.may_exchange} cards")))
    blind = [SEATS[seat] for seat, said in enumerate(seen.blind) if said == 1]
    if blind:
        rows.append(_labelled("blind nil", line("   ".join(blind))))
    given = [f"{SEATS[seat]} {n}" for seat, n in enumerate(seen.n_exchanged) if n]
    if given:
        rows.append(_labelled("exchanged", line("   ".join(given))))
    return rows


def _kept(turns: str) -> str:
    """How many first cards a seat kept.

    >>> _kept("kpk")
    'kept 2 of 3'
    """
    return f"kept {turns.count('k')} of {len(turns)}"


def _trick(seen: Moment) -> Line:
    spans: list[Span] = []
    for play in seen.on_table:
        mark = Span("*  " if play.seat == seen.winning else "   ", "head")
        spans += [Span(f"{SEATS[play.seat]} "), card_span(play.choice), mark]
    end = "to lead" if not seen.on_table else "to play"
    return (*spans, Span(f"{SEATS[seen.seat]} {end}", "dim"))


def _bids(seen: Moment) -> Line:
    n = seen.hand.n_seats
    order = [(seen.hand.first_bidder + k) % n for k in range(n)]
    made = [f"{SEATS[seat]} {bid_text(seen.bids[seat])}" for seat in order if seen.bids[seat] >= 0]
    return line("   ".join(made)) if made else line(Span("none yet", "dim"))


def _tricks(seen: Moment) -> Line:
    seats = "   ".join(f"{SEATS[seat]} {number}" for seat, number in enumerate(seen.tricks))
    if not seen.hand.has_partners:
        return line(seats)
    sides = [
        f"{name} {seen.tricks[side] + seen.tricks[side + 2]}, bid {seen.bids[side] + seen.bids[side + 2]}"
        for side, name in enumerate(SIDES)
    ]
    return line(f"{seats}   ", Span(f"({'; '.join(sides)})", "dim"))


def _voids(seen: Moment) -> Line:
    found = [
        f"{SEATS[seat]} of " + " ".join(SIGNS[suit] for suit in reversed(range(4)) if void >> suit & 1)
        for seat, void in enumerate(seen.voids)
        if void
    ]
    return line("   ".join(found)) if found else line(Span("nobody", "dim"))


def _scores(seen: Moment) -> str:
    labels = side_labels(seen.hand)
    return "   ".join(f"{name} {standing_text(seen.hand, side)}" for side, name in enumerate(labels))


def _made(played: Replay, seen: Moment, columns: int) -> Block:
    """What was chosen there, or how it came to a fault."""
    seat = SEAT_NAMES[seen.seat]
    if seen.made is None:
        return wrapped(fault_sentence(played, played.rooms[seen.room]), columns, "fault")
    if seen.phase not in (BIDDING, PLAYING):
        step = Decision(seen.phase, seen.number, Choice(seen.seat, seen.made, False), seen.offered)
        return [line(f"{seat} {deed_text(step, past=True)}.")]
    verb = "bid" if seen.phase == BIDDING else "played"
    if seen.is_forced:
        why = "bid" if seen.phase == BIDDING else "card"
        end = f": the only legal {why}, so no bot was asked."
        return [line(f"{seat} {verb} ", _choice(seen, seen.made), end)]
    return [line(f"{seat} {verb} ", _choice(seen, seen.made), ".")]


def _choice(seen: Moment, choice: int) -> Span:
    """A legal choice in a word."""
    if seen.phase == PLAYING:
        return card_span(choice)
    words = {
        BIDDING: bid_text(max(choice, 0)),
        KEEPING: "keep" if choice == KEEP else "pass up",
        DECLARING: "a blind nil" if choice == 1 else "no blind nil",
        EXCHANGING: cards_signs(max(choice, 0)),
    }
    return Span(words[seen.phase])


def _answers(seen: Moment) -> Block:
    longest = max((len(answer.bot) for answer in seen.answers), default=0)
    return [_answer(seen, answer, max(longest + 2, LABEL)) for answer in seen.answers]


def _answer(seen: Moment, answer: Answer, columns: int) -> Line:
    name = Span(f"{answer.bot:<{columns}}")
    if answer.choice is None:
        return line(name, Span(f"raises {answer.error}", "fault"))
    if not answer.is_legal:
        text = card_text(answer.choice) if seen.phase == PLAYING else str(answer.choice)
        if seen.phase == EXCHANGING and 0 <= answer.choice < 1 << 52:
            text = cards_signs(answer.choice)
        return line(name, Span(f"{text}, which is not legal", "fault"))
    differs = seen.made is not None and answer.choice != seen.made
    end = Span("   ≠ not as played" if differs else "", "mark")
    return line(name, _choice(seen, answer.choice), end)
