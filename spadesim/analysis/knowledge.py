"""A decision in text: what the seat knew, and what bots would do in its place."""

from spadesim.analysis.diagram import OWNER_STYLES, card_span, cards_line, standing_text
from spadesim.analysis.lines import Block, Line, Span, line, wrapped
from spadesim.analysis.words import SIDES, SIGNS, fault_sentence, title
from spadesim.match.moment import Answer, Moment
from spadesim.match.record import N_SEATS, Replay
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
    rows += [_labelled("hand", cards_line(seen.holding))]
    if not seen.is_bidding:
        rows += [_labelled("legal", cards_line(seen.legal)), _labelled("this trick", _trick(seen))]
    rows += [_labelled("bids", _bids(seen))]
    if not seen.is_bidding:
        rows += [_labelled("tricks won", _tricks(seen)), _labelled("shown out", _voids(seen))]
        rows += [_labelled("played", cards_line(seen.played)), _labelled("unseen", cards_line(seen.unseen))]
        broken = "broken" if seen.spades_broken else "not broken yet"
        rows += [_labelled("spades", line(broken))]
    rows += [_labelled("score", line(_scores(seen))), line()]
    return [*rows, *_made(played, seen, columns), *_answers(seen)]


def _who(played: Replay, seen: Moment) -> Line:
    what = "before its bid" if seen.is_bidding else f"in trick {seen.trick + 1}"
    name = played.name_at(seen.room, seen.seat)
    style = OWNER_STYLES[(seen.seat + seen.room) & 1]
    return line(f"What {SEAT_NAMES[seen.seat]} (", Span(name, style), f") knew {what}, room {seen.room}")


def _labelled(label: str, rest: Line) -> Line:
    return (Span(f"{label:<{LABEL}}", "dim"), *rest)


def _trick(seen: Moment) -> Line:
    spans: list[Span] = []
    for play in seen.on_table:
        mark = Span("*  " if play.seat == seen.winning else "   ", "head")
        spans += [Span(f"{SEATS[play.seat]} "), card_span(play.choice), mark]
    end = "to lead" if not seen.on_table else "to play"
    return (*spans, Span(f"{SEATS[seen.seat]} {end}", "dim"))


def _bids(seen: Moment) -> Line:
    order = [(seen.hand.first_bidder + k) % N_SEATS for k in range(N_SEATS)]
    made = [f"{SEATS[seat]} {bid_text(seen.bids[seat])}" for seat in order if seen.bids[seat] >= 0]
    return line("   ".join(made)) if made else line(Span("none yet", "dim"))


def _tricks(seen: Moment) -> Line:
    seats = "   ".join(f"{SEATS[seat]} {number}" for seat, number in enumerate(seen.tricks))
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
    return "   ".join(f"{name} {standing_text(seen.hand, side)}" for side, name in enumerate(SIDES))


def _made(played: Replay, seen: Moment, columns: int) -> Block:
    """What was chosen there, or how it came to a fault."""
    seat = SEAT_NAMES[seen.seat]
    if seen.made is None:
        return wrapped(fault_sentence(played, played.rooms[seen.room]), columns, "fault")
    verb = "bid" if seen.is_bidding else "played"
    choice = Span(bid_text(seen.made)) if seen.is_bidding else card_span(seen.made)
    if seen.is_forced:
        why = "bid" if seen.is_bidding else "card"
        end = f": the only legal {why}, so no bot was asked."
        return [line(f"{seat} {verb} ", choice, end)]
    return [line(f"{seat} {verb} ", choice, ".")]


def _answers(seen: Moment) -> Block:
    longest = max((len(answer.bot) for answer in seen.answers), default=0)
    return [_answer(seen, answer, max(longest + 2, LABEL)) for answer in seen.answers]


def _answer(seen: Moment, answer: Answer, columns: int) -> Line:
    name = Span(f"{answer.bot:<{columns}}")
    if answer.choice is None:
        return line(name, Span(f"raises {answer.error}", "fault"))
    if not answer.is_legal:
        text = str(answer.choice) if seen.is_bidding else card_text(answer.choice)
        return line(name, Span(f"{text}, which is not legal", "fault"))
    choice = Span(bid_text(answer.choice)) if seen.is_bidding else card_span(answer.choice)
    differs = seen.made is not None and answer.choice != seen.made
    return line(name, choice, Span("   ≠ not as played" if differs else "", "mark"))
