"""Reading a file of worked examples: every mistake is told with its line and with what would be right."""

# An example and what is said about it are easiest to compare on one line.
# ruff: noqa: E501

import os
from pathlib import Path

import pytest

from spadesim.core.rules import LATER_OPTIONS, LATER_PRESETS, Rules
from spadesim.errors import UserError
from spadesim.rulebook import BadExamples, parse_examples, read_examples
from spadesim.rulebook.examples import MAX_BYTES
from spadesim.rulebook.kinds import KINDS
from tests.rulebook.files import SCORING, mistake, mistakes, one, run

pytestmark = pytest.mark.compiled_only

PLACE = "my.yaml:"


def test_an_example_is_read() -> None:
    text = one(
        "scoring",
        SCORING,
        "{total: 61}",
        "preset: classic, overrides: {target: 200}, source: Pagat, note: n,",
    )
    (example,) = parse_examples(text, "my.yaml")
    assert (example.id, example.kind, example.line, example.source, example.note) == (
        *("X-1", "scoring", 1, "Pagat", "n"),
    )
    assert example.rules == Rules.parse("classic:target=200")
    assert example.given == {"bids": [4, 2], "tricks": [2, 5], "bags_before": 0}
    assert example.expect == {"total": 61}
    assert example.line_of("expect.total") == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "1: there are no examples in it; a file of worked examples is a list"),
        ("# nothing but this\n", "1: there are no examples in it"),
        ("[]\n", "1: there are no examples in it"),
        ("examples: []\n", "1: a file of worked examples is a list: - {id: ..., kind: ..., given: {...}, expect: {...}}; this begins with a group of keys."),
        ("just words\n", "this begins with 'just words'."),
        ("- 7\n", "1: an example must be a group of keys, {key: value, ...}, not 7."),
        ("- {id: X-1}\n", "1: X-1: an example lacks 'kind' and 'given' and 'expect'."),
        ("- {kind: scoring, given: {}, expect: {}}\n", "1: an example lacks 'id'."),
        ("- {id: [1], kind: scoring, given: {}, expect: {}}\n", "1: an example.id must be a text, not a list."),
        (one("scorring", SCORING, "{total: 61}"), "1: X-1: there is no kind 'scorring'. Did you mean 'scoring'?"),
        (one("bridge", SCORING, "{total: 61}"), "1: X-1: there is no kind 'bridge'. Kinds are scoring, table,"),
        (one("scoring", SCORING, "{total: 61}", "presett: pata,"), "an example has no key 'presett'. Did you mean 'preset'?"),
        (one("scoring", SCORING, "{total: 61}", "preset: patta,"), "there is no preset 'patta'. Did you mean 'pata'?"),
        (one("scoring", SCORING, "{total: 61}", "preset: poker,"), "there is no preset 'poker'. Presets are pata, patalupaus"),
        (one("scoring", SCORING, "{total: 61}", "preset: [pata],"), "an example.preset must be a text, not a list."),
        (one("scoring", SCORING, "{total: 61}", "preset: my.toml,"), "There is no rules file 'my.toml'."),
        (one("scoring", SCORING, "{total: 61}", "preset: 'pata:targett=3',"), "There is no rule option 'targett'. Did you mean 'target'?"),
        (one("scoring", SCORING, "{total: 61}", "overrides: {targett: 300},"), "there is no rule option 'targett'. Did you mean 'target'?"),
        (one("scoring", SCORING, "{total: 61}", "overrides: {target: '300'},"), "must be a whole number from 1 to 100000, not the text '300'."),
        (one("scoring", SCORING, "{total: 61}", "overrides: {target: 3e2},"), "not the text '3e2'."),
        (one("scoring", SCORING, "{total: 61}", "overrides: {nil_allowed: no},"), "overrides.nil_allowed must be true or false, not 'no'. Did you mean false?"),
        (one("scoring", SCORING, "{total: 61}", "overrides: {deal: packet27},"), "Did you mean 'packet26'?"),
        (one("scoring", SCORING, "{total: 61}", "overrides: {players: 2},"), "teams=partners needs 4 players, not 2"),
        (one("scoring", SCORING, "{total: 61}", "overrides: target,"), "overrides must be a group of rule options"),
        (one("scoring", SCORING, "{}"), "3: X-1: expect is empty; it may have contract, over,"),
        (one("scoring", "[4, 2]", "{total: 61}"), "2: X-1: given must be a group of keys"),
        (one("scoring", "{bids: [4, 2]}", "{total: 61}"), "2: X-1: given lacks 'tricks'."),
        (one("scoring", SCORING, "{totl: 61}"), "3: X-1: expect has no key 'totl'. Did you mean 'total'?"),
        (one("scoring", SCORING, "{zzz: 61}"), "expect has no key 'zzz'. expect may have contract,"),
        (one("scoring", SCORING, "{total: 6.1}"), "expect.total must be a whole number from -100000 to 100000, not '6.1'."),
        (one("scoring", SCORING, "{is_set: off}"), "expect.is_set must be true or false, not 'off'. Did you mean false?"),
        (one("scoring", "{bids: 4, tricks: [4]}", "{total: 61}"), "given.bids must be a list of bids, not 4."),
        (one("scoring", "{bids: [4, 4, 4], tricks: [4]}", "{total: 61}"), "given.bids must be a list of 1 to 2 bids, not of 3."),
        (one("scoring", "{bids: [nil, 4], tricks: [0, 4]}", "{total: 61}"), "not 'nil'. A nil is the bid 0."),
        (one("scoring", "{bids: [27, 4], tricks: [0, 4]}", "{total: 61}"), "a whole number from 0 to 26, not 27."),
        (one("winner", "{leader: 4, cards: [AS]}", "{winner: 0}"), "given.leader must be a whole number from 0 to 3, not 4."),
        (one("winner", "{leader: 0, cards: [AS, 2X]}", "{winner: 0}"), "given.cards: '2X' is no card. A card is rank and suit, such as AS or TD."),
        (one("winner", "{leader: 0, cards: [AS, SK]}", "{winner: 0}"), "'SK' is no card. Did you mean 'KS'?"),
        (one("winner", "{leader: 0, cards: [AS, 10]}", "{winner: 0}"), "given.cards must be a card such as AS or TD, not 10."),
        (one("winner", "{leader: 0, cards: [AS, AS]}", "{winner: 0}"), "given.cards: AS comes twice."),
        (one("winner", "{leader: 0, cards: AS AS}", "{winner: 0}"), "AS comes twice in 'AS AS'."),
        (one("winner", "{leader: 0, cards: 5}", "{winner: 0}"), "given.cards must be a list of cards such as [AS, TD], not 5."),
        (one("legality", "{hand: AK.2.3, trick: [], broken: false}", "{legal: []}"), "given.hand: The hand 'AK.2.3' has 3 suits, not 4"),
        (one("game_end", "{scores: [1, 2]}", "{winner: first}"), "expect.winner must be a whole number from 0 to 3 or null, not 'first'."),
        (one("bid_legality", "{}", "{legal: [0, 1, 1]}"), "expect.legal: the bid 1 comes twice."),
        (one("tip_play", "{levels: [hard], hand: [AS]}", "{card_must: winn}"), "expect.card_must must be win or lose, not 'winn'. Did you mean 'win'?"),
        (one("tip_play", "{levels: [], hand: [AS]}", "{card_must: win}"), "given.levels must be a list of 1 to 63 bots, not of 0."),
        (one("tip_play", "{levels: [hard], hand: [AS], played: 3}", "{card: AS}"), "given.played must be a list of tricks, {leader: 1, cards: [3H, 9H, 4H, KH]}, not 3."),
        (one("tip_play", "{levels: [hard], hand: [AS], played: [{lead: 1}]}", "{card: AS}"), "a trick of given.played has no key 'lead'. Did you mean 'leader'?"),
        (one("tip_play", "{levels: [hard], hand: [AS], played: [{leader: 0, cards: [2H]}, {leader: 0, cards: [2H]}]}", "{card: AS}"), "given.played: 2H was played in trick 1 already."),
        (one("ai_table", "{bot: easy, deal: round_robbin}", "{bids: [1, 1, 1, 1]}"), "given.deal must be round_robin or a deal. The deal has 1 hand, not 4"),
        (one("draw", "{first: 0, stock: sorted, decisions: [keep, take]}", "{next: 0}"), "must be keep or reject, not 'take'."),
        (one("draw", "{first: 0, stock: sorted, decisions: keep}", "{next: 0}"), "given.decisions must be a list of decisions (keep or reject), or all_keep, not 'keep'."),
        (one("draw", "{first: 0, stock: shuffled, decisions: []}", "{next: 0}"), "given.stock: 'shuffled' is no card."),
        (one("draw", "{first: 0, stock: sorted, decisions: []}", "{asked: bids}"), "expect.asked must be keep or blind or exchange or bid, not 'bids'. Did you mean 'bid'?"),
        (one("tip_play", "{levels: [hard], hand: [AS]}", "{card: AS}", "instead: {easy: AS},"), "instead: what easy answers there is what is expected."),
        (one("tip_play", "{levels: [hard], hand: [AS]}", "{card: AS}", "instead: {hard: 2C},"), "instead: hard is among those that answer as expected."),
        (one("tip_play", "{levels: [hard], hand: [AS]}", "{card: AS}", "instead: easy,"), "instead is a bot and its answer for each, {bot: answer}."),
        (one("scoring", SCORING, "{total: 61}", "instead: {easy: 2},"), "instead is for kinds that ask bots."),
        (one("ai_bid", "{bot: easy, hand: AKT2.AK3.A54.432}", "{bid: BN}"), "expect.bid: a blind nil (BN) is declared before the bidding."),
    ],
)  # fmt: skip
def test_a_mistake_is_told(text: str, words: str) -> None:
    found = mistake(text)
    assert found.startswith(PLACE)
    assert words in found


def test_mistakes_of_several_examples_are_told_together() -> None:
    wrong = one("scoring", SCORING, "{totl: 61}")
    assert [
        line.split(": ")[0] for line in mistakes(wrong + one("scoring", SCORING, "{total: 61}") + "- 7\n")
    ] == [*("my.yaml:3", "my.yaml:7")]
    error = BadExamples(["my.yaml:3: this", "my.yaml:7: that"])
    assert str(error) == "my.yaml:3: this (1 more mistake follows)"


def test_an_id_comes_once() -> None:
    text = one("scoring", SCORING, "{total: 61}")
    assert mistake(text + text) == "my.yaml:4: X-1: another example in line 1 has the same id."


def test_a_mistake_of_yaml_is_told() -> None:
    assert mistake("- {id: X-1,\n   kind: scoring\n").startswith("my.yaml:3: this is not valid YAML: ")


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        *[(one("scoring", SCORING, "{total: 61}", f"preset: {name},"), f"the preset {name}") for name in LATER_PRESETS],
        *[
            (one("scoring", SCORING, "{total: 61}", f"overrides: {{{name}: 1}},"), f"the rule option {name}")
            for name in LATER_OPTIONS
        ],
        (one("scoring", SCORING, "{total: 61}", "overrides: {deck: jjdd},"), "the rule option deck=jjdd"),
        (one("scoring", SCORING, "{opponent_bonus: 50}"), "bag penalties paid to the opponents (opponent_bonus)"),
        (one("winner", "{leader: 0, cards: [AS, BJ, 2C, LJ]}", "{winner: 1}"), "packs with jokers"),
        (one("ai_bid", "{bot: medium, easy_zero: nil, hand: AKQJ.432.432.432}", "{bid: 4}"), "the parameter easy_zero of the bot medium"),
        (one("ai_table", "{bot: easy, deal: round_robin}", "{bids: [4, 4, 4, 4]}", "overrides: {teams: individual},"), "bots at other tables than four players with partners"),
    ],
)  # fmt: skip
def test_what_there_is_not_yet_is_neither_passed_nor_failed(text: str, needs: str) -> None:
    report = run(text)
    assert report.lacking == {needs: ["X-1"]}
    assert (report.count("passed"), report.count("failed"), report.count("unsupported")) == (0, 0, 1)
    assert report.passed


def test_a_mistake_beside_what_there_is_not_yet_is_told() -> None:
    text = one("scoring", SCORING, "{totl: 61}", "preset: cookout,")
    assert "Did you mean 'total'?" in mistake(text)
    text = one("winner", "{leader: 0, cards: [BJ, x, 2C, 3C]}", "{winner: 0}")
    assert run(text).count("unsupported") == 1  # the rest of a list behind a later value is not looked at


def test_every_kind_can_be_answered_or_is_for_later() -> None:
    from spadesim.rulebook.bots import BOT_ANSWERS
    from spadesim.rulebook.report import ENGINE_ANSWERS

    for name, kind in KINDS.items():
        assert bool(kind.later) != (name in ENGINE_ANSWERS or name in BOT_ANSWERS), name


def test_rules_may_come_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text("target = 300\n", encoding="utf-8")
    (example,) = parse_examples(
        one("game_end", "{scores: [300, 0]}", "{over: true}", "preset: my.toml,"), "f"
    )
    assert example.rules == Rules(target=300)


class TestFiles:
    def test_missing(self, tmp_path: Path) -> None:
        (tmp_path / "mine.yaml").touch()
        with pytest.raises(UserError, match=r"There is no file '.*mime.yaml'. Did you mean 'mine.yaml'\?"):
            read_examples(tmp_path / "mime.yaml")

    def test_folder(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="is a folder; a file of worked examples is needed"):
            read_examples(tmp_path)

    def test_huge(self, tmp_path: Path) -> None:
        file = tmp_path / "huge.yaml"
        file.write_text("#" * (MAX_BYTES + 1), encoding="utf-8")
        with pytest.raises(UserError, match="has more than 4 MB; divide it"):
            read_examples(file)

    def test_no_text(self, tmp_path: Path) -> None:
        file = tmp_path / "latin.yaml"
        file.write_bytes("# a\n# säkki\n".encode("latin-1"))
        with pytest.raises(UserError, match=r"latin.yaml:2: this is not UTF-8 text; save the file as UTF-8"):
            read_examples(file)

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything can be read here")
    def test_closed(self, tmp_path: Path) -> None:
        file = tmp_path / "closed.yaml"
        file.touch(mode=0)
        with pytest.raises(UserError, match="cannot be read: Permission denied"):
            read_examples(file)

    def test_with_a_byte_order_mark(self, tmp_path: Path) -> None:
        file = tmp_path / "bom.yaml"
        file.write_text(one("scoring", SCORING, "{total: 61}"), encoding="utf-8-sig")
        assert len(read_examples(str(file))) == 1
