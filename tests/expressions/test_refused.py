"""Expressions that are refused: what is said, and the place that the carets point at."""

import pytest

from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.expressions import Known, compile_value, compile_where
from tests.expressions.test_expressions import dealt

DEALS = Known.of_deals(Rules())
ROWS = Known.of_rows(
    Rules(),
    ("cards", "bid", "tricks", "score", "role", "won", "first_bidder", "low_cards"),
    ("easy", "easy", "hard:king=0.7", "hard:king=0.7"),
)

OF_DEALS = [
    ("spades(n) >= fve", "fve", "There is no 'fve'."),
    ("spads(n) >= 5", "spads", "Did you mean 'spades'?"),
    ("é(n) > 1 or spades(n) >= zé", "é", "There is no 'é'."),
    ("spades(n) > 1 or spades(é) >= 1", "é", "é is no seat"),
    ("spades(n) = 5", "=", "write =="),
    ("void(n) && void(s)", "&&", "write and"),
    ("!void(n)", "!", "write not"),
    ("void(n) & void(s)", "void(n) & void(s)", "write and"),
    ("spades(n) / 2 > 1", "spades(n) / 2", "//"),
    ("spades(n) // hearts(n) > 1", "hearts(n)", "Only a number written out"),
    ("spades(n) % 0 > 1", "0", "other than 0"),
    ("spades(n) >= 4.5", "4.5", "whole"),
    ("spades(n)", "spades(n)", "a number, neither true nor false"),
    ("void(n) and spades(s) or hearts(w) > 1", "spades(s)", "spades(s) >= 1"),
    ("spades >= 5", "spades", "Whose? spades(n)"),
    ("spades(z) >= 5", "z", "z is no seat: seats are n, e, s, w."),
    ("spades(n, hearts) >= 5", "hearts", "no seat"),
    ("spades(partner) >= 5", "partner", "Nobody in particular"),
    ("void(n, heart)", "heart", "Did you mean 'hearts'?"),
    ("highest(n) > 3", "highest(n)", "highest(n, spades)"),
    ("has(n, 'AKX of spades')", "'AKX of spades'", "'Xs' is no card"),
    ("has(n, 'A of swords')", "'A of swords'", "'swords' is no suit"),
    ("has(n, 'AS AS')", "'AS AS'", "twice"),
    ("has(n, '')", "''", "No card"),
    ("has(n, AS)", "AS", "in quotes"),
    ("bid(n) == 0", "bid", "recorded hands only"),
    ("any(void(n))", "void(n)", "the same for all of them"),
    ("any(any(void))", "any(void)", "within each other"),
    ("any(spades)", "spades", "a number"),
    ("any()", "any()", "takes one condition"),
    ("max(spades(n)) > 1", "max(spades(n))", "two numbers"),
    ("spades(n) in 3", "3", "a list"),
    ("spades(n) is 3", "spades(n) is 3", "'is'"),
    ("1 < 2", "1 < 2", "nothing about a hand"),
    ("n(spades) > 1", "n(spades)", "takes no brackets"),
    ("spades(seat=n) > 1", "=", "write =="),
    ("ns == n", "ns", "more than one seat"),
    ("any > 1", "any", "any(...)"),
    ("spades(n) >= 14", "spades(n) >= 14", "never be true: spades(n) is from 0 to 13"),
    ("void(s) and not spades(n) >= 0", "not spades(n) >= 0", "never be true"),
    ("spades(n) > 14 or hearts(n) > 14", "spades(n) > 14 or hearts(n) > 14", "never"),
    ("void(s) and (spades(n) > 5 and spades(n) < 5)", "spades(n) > 5 and spades(n) < 5", "never"),
    ("spades(n) >= 8 and spades(s) >= 6", "spades(n) >= 8 and spades(s) >= 6", "never be true"),
    ("spades(ns) >= 8 and spades(ew) >= 6", "spades(ns) >= 8 and spades(ew) >= 6", "never be true"),
    ("void(n, spades) and has(n, 'AS')", "void(n, spades) and has(n, 'AS')", "never be true"),
    (
        "spades(n) < 4 and hearts(n) < 4 and diamonds(n) < 4 and clubs(e) > 9",
        "spades(n) < 4 and hearts(n) < 4 and diamonds(n) < 4 and clubs(e) > 9",
        "never be true",
    ),
    ("has(n, 'AKQJT98765432 of spades, AH')", "has(n, 'AKQJT98765432 of spades, AH')", "never be true"),
    ("has(n, 'A♠') and spads(n) > 1", "spads", "There is no 'spads'"),
    ("spades(n)+hearts(n) >= 14", "spades(n)+hearts(n) >= 14", "is from 0 to 13"),
    ("spades(n)+spades(e)+spades(w) > 13", "spades(n)+spades(e)+spades(w) > 13", "is from 0 to 13"),
    ("spades(n) > 9 AND viod(n)", "viod", "There is no 'viod'"),
    ("(spades(n) > 1", "(", "never closed"),
    ("spades(n) > 3 # five", "#", "not part"),
    ("spades(n) > 9999999999", "9999999999", "largest number"),
]
INJECTIONS = [
    "__import__('os').system('true')",
    "().__class__.__bases__",
    "spades.__class__ == 1",
    "spades(n).real > 1",
    "spades(n) ** 99999 > 1",
    "9 ** 9 ** 9 ** 9 > 1",
    "[1 for x in (1, 2)]",
    "(lambda: 1)()",
    "spades(n)[0] > 1",
    "f'{spades}' == 1",
    "(x := 1) > 0",
    "open('/etc/passwd')",
    "eval('1')",
    "spades(*n) > 1",
    "1 if void(n) else 0",
    "print(1)",
    "b'x' == 1",
    "1j > 0",
    "...",
]


def refused(text: str, known: Known) -> UserError:
    with pytest.raises(UserError) as found:
        compile_where(text, known)
    return found.value


def place(error: UserError) -> str:
    """What the carets of an excerpt stand under."""
    text, carets = error.excerpt.splitlines()
    return text[carets.index("^") : carets.rindex("^") + 1]


@pytest.mark.parametrize(("text", "where", "message"), OF_DEALS, ids=[text for text, *_ in OF_DEALS])
def test_refused_for_deals(text: str, where: str, message: str) -> None:
    error = refused(text, DEALS)
    assert message in error.args[0]
    if where:
        assert place(error) == where
    assert str(error) == f"{error.args[0]}\n{error.excerpt}"


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("bot == 'hrd'", "'hrd'", "There is no 'hrd' in this run. It has 'easy', 'hard:king=0.7'."),
        ("bot > 'easy'", "bot > 'easy'", "==, != and in"),
        ("bot == 1", "1", "in quotes"),
        ("bot", "bot", "bot == 'easy'"),
        ("bid == 'easy'", "'easy'", "A text stands only"),
        ("bid + side > 1", "side", "a word, not a number"),
        ("ruffs > 1", "ruffs", "do not tell 'ruffs'"),
        ("low_cards(us) > 1", "low_cards(us)", "of one seat"),
        ("role > 1", "role", "There is no 'role'"),
        ("kept > 1", "kept", "do not tell 'kept': it is recorded under rules"),
        ("won(14)", "14", "from 1 to 13"),
        ("won(bid)", "bid", "from 1 to 13"),
        ("bid == 0 and bid == 3", "bid == 0 and bid == 3", "never"),
        ("tricks(us) >= 14", "tricks(us) >= 14", "from 0 to 13"),
        ("nil and bid > 2", "nil and bid > 2", "never"),
        ("nil_made and tricks > 1", "nil_made and tricks > 1", "never"),
        ("partner_bid(n) > 1", "partner_bid(n)", "no brackets"),
        ("score*1000000000*1000000000 > 1", "score*1000000000*1000000000", "too large"),
    ],
)
def test_refused_for_rows(text: str, where: str, message: str) -> None:
    error = refused(text, ROWS)
    assert message in error.args[0]
    assert place(error) == where


@pytest.mark.parametrize("text", INJECTIONS)
def test_nothing_is_executed(text: str) -> None:
    refused(text, DEALS)
    refused(text, ROWS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "(" * 400 + "1" + ")" * 400,
        "-" * 900 + "1",
        "not " * 240 + "void(n)",
        "1" * 999,
        "x" * 5000,
        "1+" * 499 + "1",
        "\0",
        "void(n) \ud800",
    ],
    ids=range(10),
)
def test_sizes_and_odd_signs(text: str) -> None:
    refused(text, DEALS)


def test_long_expressions_are_shown_around_the_place() -> None:
    text = " or ".join(["void(n, hearts)"] * 20) + " or spads(n) > 1 or " + " or ".join(["void(e)"] * 20)
    error = refused(text, DEALS)
    assert place(error) == "spads"
    assert all(len(line) < 100 for line in error.excerpt.splitlines())


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("spades(n) >", "spades(n) >"),
        ("spades(n) >= 5 and", "spades(n) >= 5 and"),
        ("void(e) or not", "void(e) or not"),
        ("spades(n) >= 5 \0 and void(n)", "spades(n) >= 5 "),
        ("has(n, 'A\0')", "has(n, 'A"),
        ("void(n) \ud800", "void(n) "),
    ],
)
def test_what_is_missing_or_no_sign_is_pointed_at(text: str, before: str) -> None:
    text, carets = refused(text, DEALS).excerpt.splitlines()
    assert carets == " " * (4 + len(before)) + "^"


def test_capitals_make_no_difference() -> None:
    told = compile_where("SPADES(N) >= 2 And (Not Void(n, HEARTS) OR (Spades(ME) IN (1, 2)) == TRUE)", ROWS)
    plain = compile_where("spades(n) >= 2 and (not void(n, hearts) or (spades(me) in (1, 2)) == True)", ROWS)
    rows = {"cards": dealt(100, Rules())}
    assert (told(rows, 4) == plain(rows, 4)).all()
    compile_where("bot == 'Easy' OR side == 'A' or has(n, 'ak of Spades')", ROWS)


def test_signs_of_a_terminal_are_not_printed() -> None:
    assert "\x1b" not in refused("spades(n) > '\x1b[31m'", DEALS).excerpt


def test_partners_and_seats_that_a_table_lacks() -> None:
    three = Known.of_deals(Rules.parse("cutthroat3"))
    assert "There is no seat w" in str(refused("spades(w) > 1", three))
    assert "plays alone" in str(refused("any(spades(partner) > 1)", three))
    assert "plays alone" in str(refused("spades(ns) > 1", three))
    compile_where("any(spades(left) > 1)", three)


def test_possible_distributions_are_let_through() -> None:
    for text in (
        "spades(n) >= 7 and spades(s) >= 6",
        "spades(n) == 13 and void(e)",
        "void(n, spades) and void(n, hearts) and void(n, clubs)",
        "spades(n) + hearts(n) == 13",
        "not (spades(n) > 5 and hearts(n) > 8)",
        "spades(n) - hearts(n) == 13",
        "any(spades >= 8) and spades(n) >= 6",
    ):
        compile_where(text, DEALS)


def test_a_word_is_no_value() -> None:
    with pytest.raises(UserError, match="a word, not a number"):
        compile_value("bot", ROWS)
