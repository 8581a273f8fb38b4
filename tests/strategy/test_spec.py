"""The spec grammar: what each text means, and that text and spec name each other."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim.errors import UserError
from spadesim.strategy.spec import BotSpec, SideSpec, parse, parse_bot


def both(bot: BotSpec) -> SideSpec:
    return SideSpec(bot, bot)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("easy", both(BotSpec("easy"))),
        (" easy ", both(BotSpec("easy"))),
        ("my-bots.easy", both(BotSpec("my-bots.easy"))),
        ("bot.py", both(BotSpec("bot.py"))),
        ("./b+c/my.bot.py", both(BotSpec("./b+c/my.bot.py"))),
        ("~/bots/x.py", both(BotSpec("~/bots/x.py"))),
        ("/srv/a@b:c~d+e/x.py:king=1", both(BotSpec("/srv/a@b:c~d+e/x.py", settings=(("king", "1"),)))),
        (r"C:\JOHN~1\x.py", both(BotSpec(r"C:\JOHN~1\x.py"))),
        ("C:/bots/x.py@v1", both(BotSpec("C:/bots/x.py", "v1"))),
        ("easy@HEAD~3", both(BotSpec("easy", "HEAD~3"))),
        ("easy@HEAD~:king=1", both(BotSpec("easy", "HEAD~", settings=(("king", "1"),)))),
        ("easy@main@{1}~forget=0.20", both(BotSpec("easy", "main@{1}", wrappers=(("forget", "0.2"),)))),
        ("easy:king=0.70,ace=4", both(BotSpec("easy", settings=(("ace", "4"), ("king", "0.7"))))),
        ("easy:king=-1.50e+3", both(BotSpec("easy", settings=(("king", "-1500"),)))),
        ("easy:zero=nil", both(BotSpec("easy", settings=(("zero", "nil"),)))),
        ("easy:a+b/x.toml,king=1", both(BotSpec("easy", "", "a+b/x.toml", (("king", "1"),)))),
        ("easy:C:/x.toml", both(BotSpec("easy", "", "C:/x.toml"))),
        ("easy:x.toml~blunder", both(BotSpec("easy", "", "x.toml", wrappers=(("blunder", ""),)))),
        (
            "easy~forget=0.2~blunder=0.1",
            both(BotSpec("easy", wrappers=(("forget", "0.2"), ("blunder", "0.1")))),
        ),
        ("easy+easy", both(BotSpec("easy"))),
        ("medium+hard", SideSpec(BotSpec("medium"), BotSpec("hard"))),
        ("a.py+./b.py", SideSpec(BotSpec("a.py"), BotSpec("./b.py"))),
        ("easy:king=1e+2+hard", SideSpec(BotSpec("easy", settings=(("king", "100"),)), BotSpec("hard"))),
        ("easy:x.toml+hard@v1", SideSpec(BotSpec("easy", "", "x.toml"), BotSpec("hard", "v1"))),
        ("easy:bidder=hard", both(BotSpec("easy", bidder="hard"))),
        (
            "easy:king=1,bidder=./a+b/x.py",
            both(BotSpec("easy", settings=(("king", "1"),), bidder="./a+b/x.py")),
        ),
        (
            "easy:x.toml,bidder=x.py+hard",
            SideSpec(BotSpec("easy", "", "x.toml", bidder="x.py"), BotSpec("hard")),
        ),
        ("easy:bidder=hard~timid", both(BotSpec("easy", wrappers=(("timid", ""),), bidder="hard"))),
        ("hard+~/x.py", SideSpec(BotSpec("hard"), BotSpec("~/x.py"))),
    ],
)
def test_texts_and_what_they_mean(text: str, spec: SideSpec) -> None:
    assert parse(text) == spec
    assert parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a strategy's name or file is missing"),
        ("+easy", "a strategy's name or file is missing before '+easy'"),
        ("easy+", "a strategy's name or file is missing"),
        (":king=1", "missing before ':king=1'"),
        ("easy+medium+hard", "a side has at most two bots, but '+hard' follows"),
        ("easy@", "a git revision is missing after '@'"),
        ("easy:", "is needed after ':' and ',', not nothing"),
        ("easy:king", "parameter=value or a .toml file is needed after ':' and ',', not 'king'"),
        ("easy:king=", "a value is missing after 'king='"),
        ("easy:king=1,", "not nothing"),
        ("easy:king=1,king=2", "the parameter 'king' is given twice"),
        ("easy:king=1,x.toml", "one parameter file at most, before the single parameters"),
        ("easy:x.toml,y.toml", "one parameter file at most"),
        ("easy~", "nothing can follow 'easy' like '~' does"),
        ("easy~3", "nothing can follow 'easy' like '~3' does"),
        ("easy:king=1:ace=2", "nothing can follow 'easy:king=1' like ':ace=2' does"),
        ("easy:king=a=2", "nothing can follow"),
        ("easy~forget=", "a value is missing after 'forget='"),
        ("bots/easy", "the path 'bots/easy' must end in .py"),
        ("three bots", "'three bots' is neither a strategy's name nor a path ending in .py"),
    ],
)
def test_texts_outside_the_grammar(text: str, message: str) -> None:
    with pytest.raises(UserError) as refusal:
        parse(text)
    assert message in str(refusal.value)


def test_one_bot_where_one_is_needed() -> None:
    assert parse_bot("easy:king=1") == BotSpec("easy", settings=(("king", "1"),))
    with pytest.raises(UserError, match="one bot is needed"):
        parse_bot("easy+hard")


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
PATH_CHARACTERS = st.text(string.ascii_letters + string.digits + "@:~+,=. _-é", min_size=1, max_size=8)
PY_PATHS = st.builds(lambda folder, name: f"./{folder}/{name}.py", PATH_CHARACTERS, NAMES)
REVISIONS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,8}(~[0-9]?|@\{[0-9]\}|\^)?", fullmatch=True)
VALUES = st.one_of(
    NAMES,
    st.floats(allow_nan=False, allow_infinity=False).map(
        lambda x: str(parse_bot(f"x:y={x!r}").settings[0][1])
    ),
)
PAIRS = st.dictionaries(NAMES, VALUES, max_size=3).map(lambda pairs: tuple(sorted(pairs.items())))
BOTS = st.builds(
    BotSpec,
    NAMES | PY_PATHS.filter(lambda path: ".py" not in path[:-3]),
    st.just("") | REVISIONS,
    st.just("") | NAMES.map(lambda name: f"./{name}+x.toml"),
    PAIRS,
    PAIRS.map(lambda pairs: tuple((f"w{name}", value) for name, value in pairs)),
)


@given(st.builds(SideSpec, BOTS, BOTS))
def test_every_spec_reads_back(spec: SideSpec) -> None:
    assert parse(str(spec)) == spec


@given(st.text(string.ascii_letters + string.digits + "@:~+,=./\\ -", max_size=30))
def test_any_text_is_refused_or_has_one_canonical_form(text: str) -> None:
    try:
        spec = parse(text)
    except UserError:
        return
    assert parse(str(spec)) == spec
    assert str(parse(str(spec))) == str(spec)
