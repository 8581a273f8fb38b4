"""How players come to their hands and bids, in words: table, pack, deal or draw, and the bidding."""

from spadesim.core.rules import Rules
from spadesim.rulebook.worth import plural

NUMBER_WORDS = {2: "Two", 3: "Three", 4: "Four"}


def has_pairs(rules: Rules) -> bool:
    """Whether players have partners."""
    return rules.teams == "partners"


def has_draw(rules: Rules) -> bool:
    """Whether players draw their hands from a stock."""
    return rules.deal == "draw_keep"


def side_word(rules: Rules) -> str:
    """What has a contract and a score."""
    return "pair" if has_pairs(rules) else "player"


def table_words(rules: Rules) -> str:
    """Who plays."""
    who = NUMBER_WORDS[rules.players]
    if has_pairs(rules):
        return f"{who} players in two pairs: seats 0 and 2 play together against seats 1 and 3."
    seats = ", ".join(map(str, range(rules.players)))
    return f"{who} players, everybody alone: each seat ({seats}) has its own contract, bags and score."


def cards_words(rules: Rules) -> str:
    """The pack, and how it is shared out."""
    size = rules.hand_size
    if has_draw(rules):
        return (
            "Nobody deals. The pack of 52 cards lies face down as a stock, and the players draw from it in "
            f"turn, two cards each turn, one to keep and one to discard. When the stock is used up, each has "
            f"{size} cards, so a hand has {size} tricks; the other {52 - 2 * size} are out of play."
        )
    pack = "all 52 cards" if rules.deck == "std52" else "51 cards, the two of clubs left out"
    if rules.deal == "packet26":
        return f"Everybody is dealt {size} of the {pack[4:]}; the other 26 stay unused and unseen."
    return f"The pack, {pack}, is dealt out: {size} cards each, so a hand has {size} tricks."


def draw_words(rules: Rules) -> str:
    """A turn of the draw."""
    if not has_draw(rules):
        return ""
    second = (
        "looks at the next card as well and discards that"
        if rules.draw_second_seen
        else "discards the next card face down without looking at it"
    )
    return (
        "The player in turn looks at the top card and either keeps it, and then "
        f"{second}; or discards it, and then has to keep the next card, whatever it is."
    )


def memory_words(rules: Rules) -> str:
    """What of the draw may be remembered."""
    if not has_draw(rules):
        return ""
    what = "may remember" if rules.bot_memory else "has forgotten"
    return f"In the bidding and the play a player {what} which cards it saw discarded."


def first_words(rules: Rules) -> str:
    """Who deals or draws first, who bids first, and who leads."""
    if has_draw(rules):
        which = "first" if rules.start_role == "first_drawer" else "second"
        return (
            f"In the first hand {_somebody(rules)} draws first; after that the players take turns at it, "
            f"hand by hand. Whoever draws {which} bids first and leads to the first trick."
        )
    if rules.start_role == "rotating_first_bidder":
        return (
            f"In the first hand {_somebody(rules)} bids first and leads to the first trick; "
            "in every later hand the next seat clockwise does."
        )
    first = {
        "random": "A random seat",
        "high_card": "Each player draws a card and the highest, which any seat is equally likely to draw,",
        "fixed": "Seat 0",
    }[rules.first_dealer]
    who = {"dealer_left": "The seat after the dealer", "dealer": "The dealer"}[rules.start_role]
    return (
        f"{first} deals first, then the next seat clockwise. {who} bids first and leads to the first trick."
    )


def _somebody(rules: Rules) -> str:
    return {
        "random": "a random seat",
        "high_card": "the seat that draws the highest card, any one equally likely,",
        "fixed": "seat 0",
    }[rules.first_dealer]


def blind_words(rules: Rules) -> str:
    """Who may declare a blind nil, and when."""
    if rules.blind_nil == "off":
        return ""
    who, when = (
        ("A player", "before drawing its first card")
        if has_draw(rules)
        else ("In bidding order, each player", "before anybody looks at the cards")
    )
    deficit = plural(rules.blind_nil_deficit, "point")
    other = "the other pair" if has_pairs(rules) else "the best other player"
    rival = "the other player" if rules.players == 2 else other
    side = "" if not has_pairs(rules) else "of its pair "
    if rules.blind_nil == "always":
        condition = ", however the scores stand"
    else:
        condition = f", if the score {side}is {deficit} or more below that of {rival}"
    return (
        f"{who} may declare a blind nil, also called double nil, {when}{condition}. Everybody is told, and "
        "the player's bid is 0."
    )


def exchange_words(rules: Rules) -> str:
    """The exchange of a blind nil's bidder."""
    if rules.blind_nil == "off":
        return ""
    if rules.blind_nil_exchange == 0:
        return "A blind nil's bidder exchanges no cards."
    n = rules.blind_nil_exchange
    most = "one card for another" if n == 1 else f"up to {n} cards for as many"
    return (
        f"When both hands are complete, a player that has declared a blind nil may exchange {most}, drawn at "
        "random from all the cards discarded so far; those given away join the discards. If both have "
        "declared one, they exchange in the order in which they bid."
    )


def bids_words(rules: Rules) -> str:
    """The bids there are."""
    low = "0, which is a nil (a promise to win no trick), or " if rules.nil_allowed else ""
    together = " The bids of partners are added up: that is the pair's contract." if has_pairs(rules) else ""
    no_nil = "" if rules.nil_allowed else " There is no nil."
    least, size = max(rules.min_bid, 1), rules.hand_size
    tricks = f"a number of tricks from {least} to {size}" if least < size else f"{size} tricks"
    return f"Everybody bids once, in turn clockwise: {low}{tricks}.{no_nil}{together}"
