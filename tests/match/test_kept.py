"""Runs in folders: the same parts however often they are broken off, every damage told in one sentence."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq
import pytest

import spadesim
from spadesim.analysis.gather import Count, gather
from spadesim.analysis.hands import hands
from spadesim.analysis.inputs import read_inputs
from spadesim.analysis.tables import notes
from spadesim.core.rows import BLOCK_ROWS
from spadesim.errors import UserError
from spadesim.match import parts
from spadesim.match.duel import Keep, duel, play_duel
from spadesim.match.kept import result_of, resume_run
from spadesim.match.manifest import FILE
from spadesim.match.proof import prove
from spadesim.match.recording import _Recorder
from spadesim.match.spec import make_spec
from spadesim.match.stop import Stop
from spadesim.match.stopping import Stopping
from spadesim.match.store import Store, find, writing
from tests.match.bots import write_bot

pytestmark = pytest.mark.slow

SPEC = make_spec("easy", "lowest_card", boards=100, seed=3, first=11)
PART = 15


def keep(folder: Path, record: str = "rows", **more: Any) -> Any:
    return play_duel(SPEC, keep=Keep(folder, record, PART), **more)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("part-*"))}


def part(folder: Path, number: int) -> Path:
    return find(folder).files()[number]


def refusal(folder: Path, **options: Any) -> str:
    with pytest.raises(UserError) as error:
        resume_run(folder, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    keep(folder, "cards")
    return folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in whole.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


@pytest.mark.parametrize("record", ["rows", "cards"])
def test_a_kept_duel_is_the_duel(tmp_path: Path, record: str) -> None:
    kept, plain = keep(tmp_path / "run", record), play_duel(SPEC)
    assert kept.tally.tobytes() == plain.tally.tobytes()
    proof = prove(find(tmp_path / "run"))
    assert proof.is_sound
    assert proof.is_complete
    assert (proof.units, proof.fingerprint) == (100, plain.fingerprint)
    values, stored = plain.to_dict(), result_of(find(tmp_path / "run")).to_dict()
    for each in (values, stored):
        del each["seconds"], each["hands_per_second"]
    assert stored == values


def test_parts_depend_on_nothing_but_the_boards(whole: Path, tmp_path: Path) -> None:
    keep(tmp_path / "one", "cards", workers=1)
    keep(tmp_path / "three", "cards", workers=3)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "three") == bytes_of(whole)


def test_small_row_groups_are_filled_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec, n = make_spec("lowest_card", "random_legal", boards=21_000), 3 * BLOCK_ROWS // 8
    assert n > spec.units  # three blocks, the last of them not full
    for module in (parts, spadesim.match.recording):
        monkeypatch.setattr(module, "GROUP_BLOCKS", 1)
    monkeypatch.setattr(spadesim.match.recording, "FIRST_BLOCKS", 1)
    play_duel(spec, workers=1, keep=Keep(tmp_path / "one", "cards", n))
    monkeypatch.setattr(spadesim.match.recording, "FIRST_UNITS", spec.units)  # more than there is room for
    play_duel(spec, workers=1, keep=Keep(tmp_path / "two", "cards", n))
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")
    assert pq.read_metadata(part(tmp_path / "one", 0)).num_row_groups == 3
    assert prove(find(tmp_path / "one")).is_sound


def test_missing_and_damaged_parts_are_played_anew(whole: Path, copy: Path) -> None:
    part(copy, 2).unlink()
    with part(copy, 4).open("r+b") as file:
        file.seek(200)
        file.write(b"\0\1\2")
    os.truncate(part(copy, 6), 500)
    notes: list[str] = []
    resumed = resume_run(copy, notice=notes.append)
    assert not resumed.was_finished
    assert bytes_of(copy) == bytes_of(whole)
    assert [note.split()[0][:11] for note in notes if "aside" in note] == ["part-000004", "part-000006"]
    assert len(list((copy / "damaged").iterdir())) == 2


def test_a_finished_run_says_so_and_needs_no_bot(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spadesim.match.kept.present_sides", None)
    resumed = resume_run(copy)
    assert resumed.was_finished
    assert resumed.result.fingerprint == play_duel(SPEC).fingerprint


def test_a_part_of_another_run_is_no_part_of_this_one(copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    play_duel(make_spec("easy", "lowest_card", boards=100, seed=4, first=11), keep=Keep(other, "cards", PART))
    stray = part(other, 3)
    part(copy, 3).unlink()
    (copy / stray.name).write_bytes(stray.read_bytes())
    proof = prove(find(copy))
    assert [why for _, why in proof.faults] == ["it belongs to another run"]
    resume_run(copy)
    assert prove(find(copy)).is_sound


def test_a_longer_run_is_as_if_it_had_been_so_from_the_beginning(copy: Path, tmp_path: Path) -> None:
    longer = make_spec("easy", "lowest_card", boards=140, seed=3, first=11)
    plain = play_duel(longer, keep=Keep(tmp_path / "longer", "cards", PART))
    resumed = resume_run(copy, units=140)
    assert resumed.result.tally.tobytes() == plain.tally.tobytes()
    assert bytes_of(copy) == bytes_of(tmp_path / "longer")
    assert resumed.result.command == plain.command
    assert "not shorter" in refusal(copy, units=120)


def test_weaknesses_go_on_as_they_began(tmp_path: Path) -> None:
    sides = "easy~blunder=0.3", "easy~forget=0.5~timid=0.5+lowest_card~bold"
    plain = duel(*sides, boards=60, seed=3)
    for trusts in (False, True):
        folder = tmp_path / f"trusts_{trusts}"
        begun = duel(*sides, boards=30, seed=3, out=folder, record="cards")
        assert begun.fingerprint != duel("easy", "easy+lowest_card", boards=30, seed=3).fingerprint
        longer = resume_run(folder, units=60, trust_source=trusts).result
        assert longer.fingerprint == plain.fingerprint
        assert longer.sides["a"].name == plain.sides["a"].name == "easy~blunder=0.3"
        assert prove(find(folder)).fingerprint == plain.fingerprint


def test_who_makes_a_run_longer_is_judged_as_one_who_has_looked(copy: Path) -> None:
    part(copy, 3).unlink()
    gone_on = resume_run(copy).result  # to the end that was chosen beforehand
    assert not gone_on.is_watched
    assert gone_on.at_any_look is None
    assert json.loads((copy / FILE).read_text())["lengths"] == []
    longer = resume_run(copy, units=140).result
    assert longer.is_watched
    assert longer.at_any_look is not None
    assert longer.win_chance_per_board is not None
    assert longer.at_any_look.low < longer.win_chance_per_board.low < longer.at_any_look.mean
    assert "95 % interval that holds at any look" in longer.verdict
    assert any("made longer, so that its length was not chosen" in note for note in notes(longer))
    again = result_of(find(copy))
    assert (again.verdict, again.at_any_look) == (longer.verdict, longer.at_any_look)
    assert resume_run(copy, units=160).result.is_watched
    assert json.loads((copy / FILE).read_text())["lengths"] == [100, 140]
    changed_manifest(copy, lengths=[170])
    assert "is damaged" in refusal(copy)
    values = json.loads((copy / FILE).read_text())
    del values["lengths"]  # as an earlier version wrote it
    (copy / FILE).write_text(json.dumps(values))
    assert not result_of(find(copy)).is_watched


class Enough:
    """Ends a run once so many units have been shown."""

    batch = 10

    def __init__(self, enough: int) -> None:
        self.enough = enough
        self.seen: list[npt.NDArray[np.void]] = []

    def __call__(self, outcomes: npt.NDArray[np.void]) -> bool:
        self.seen.append(outcomes.copy())
        return sum(map(len, self.seen)) >= self.enough


def test_a_watched_run_stops_at_the_same_board_however_it_is_broken_off(tmp_path: Path) -> None:
    """Decided at 70, inside the part of boards 60 to 74."""
    watch = Enough(70)
    stopping = {"enough": 70}
    done = play_duel(SPEC, keep=Keep(tmp_path / "one", "rows", PART, stopping), watch=watch)
    assert done.boards == 70
    assert done.tally.tobytes() == play_duel(SPEC, watch=Enough(70)).tally.tobytes()
    expected = bytes_of(tmp_path / "one")
    for number in (4, 2):
        part(tmp_path / "one", number).unlink()
        again: list[Enough] = []

        def make(spec: Any, values: Any, again: list[Enough] = again) -> Enough:
            again.append(Enough(values["enough"]))
            return again[0]

        resumed = resume_run(tmp_path / "one", make_watch=make)
        assert bytes_of(tmp_path / "one") == expected
        assert resumed.result.fingerprint == done.fingerprint
        assert np.array_equal(np.concatenate(again[0].seen), np.concatenate(watch.seen))
    assert resume_run(tmp_path / "one").was_finished
    assert "decided" in refusal(tmp_path / "one", units=200)


def test_ctrl_c_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enter = _Recorder._enter

    def interrupted(self: Any, number: int, made: Any) -> bool:
        if number == 3:
            raise KeyboardInterrupt
        return enter(self, number, made)

    monkeypatch.setattr(_Recorder, "_enter", interrupted)
    result = keep(tmp_path / "run")
    assert result.partial
    assert result.boards == 3 * PART
    monkeypatch.setattr(_Recorder, "_enter", enter)
    assert resume_run(tmp_path / "run").result.fingerprint == play_duel(SPEC).fingerprint


def test_a_full_disk_costs_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync, calls = os.fsync, []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) > 8:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match=r"no space left.*the parts that are there stay.*--resume"):
        keep(tmp_path / "run")
    monkeypatch.setattr(os, "fsync", fsync)
    assert not list((tmp_path / "run").glob(".*"))
    assert 0 < len(bytes_of(tmp_path / "run")) < 7
    assert resume_run(tmp_path / "run").result.fingerprint == play_duel(SPEC).fingerprint


def test_one_process_at_a_time(copy: Path) -> None:
    with writing(find(copy)):
        assert "Another process is writing" in refusal(copy)
    assert resume_run(copy).was_finished


def test_a_folder_is_never_overwritten(copy: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds another run already"):
        keep(copy)
    with pytest.raises(UserError, match=r"holds this very run already.*--resume"):
        keep(copy, "cards")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "text").write_text("mine")
    with pytest.raises(UserError, match="holds other files"):
        keep(tmp_path / "notes")


def test_a_folder_that_another_process_filled_meanwhile_is_not_overwritten(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the first look at the folder and the lock, a whole run may have come and gone."""
    monkeypatch.setattr("spadesim.match.kept.begin", Store)
    before = bytes_of(copy), (copy / FILE).read_bytes()
    with pytest.raises(UserError, match="holds another run already"):
        keep(copy)
    assert (bytes_of(copy), (copy / FILE).read_bytes()) == before


def changed_manifest(folder: Path, **values: Any) -> None:
    file = folder / FILE
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


def test_what_is_no_run_of_this_version_is_refused(copy: Path, tmp_path: Path) -> None:
    assert "There is no folder" in refusal(tmp_path / "nowhere")
    assert "is not a run: it has no run.json" in refusal(tmp_path)
    text = (copy / FILE).read_text()
    changed_manifest(copy, format=99, version="9.9")
    assert "newer spadesim (9.9;" in refusal(copy)
    (copy / FILE).write_text(text[: len(text) // 2])
    assert "is damaged" in refusal(copy)
    (copy / FILE).write_text(text)
    changed_manifest(copy, seed=77)
    assert "has been changed" in refusal(copy)
    (copy / FILE).write_text(text)
    rules = json.loads(text)["rules"]
    rules["options"]["target"] = 450
    changed_manifest(copy, rules=rules)
    assert "target was 450, is 500" in refusal(copy)


def broken_off(tmp_path: Path, bot: str) -> Path:
    folder = tmp_path / "run"
    play_duel(make_spec(bot, "easy", boards=40), keep=Keep(folder, "rows", 10))
    part(folder, 3).unlink()
    return folder


def test_a_changed_bot_is_refused_unless_its_copy_is_trusted(tmp_path: Path) -> None:
    bot = Path(write_bot(tmp_path, "mine", play="return helper_card(view.legal)"))
    text = bot.read_text()
    bot.write_text(text.replace("\n\n", "\n\nfrom own_helper import helper_card\n", 1))
    helper = tmp_path / "own_helper.py"
    helper.write_text(
        '"""Help."""\nfrom spadesim.core.cards import lowest\nfrom spadesim.strategy import jit\n\n\n'
        "@jit\ndef helper_card(legal):\n    return lowest(legal)\n"
    )
    folder = broken_off(tmp_path, str(bot))
    plain = duel(str(bot), "easy", boards=40)
    marker = tmp_path / "ran"
    helper.write_text(helper.read_text() + f"\nopen({str(marker)!r}, 'w').close()\n")
    message = refusal(folder)
    assert "mine has changed since the run began (own_helper.py)" in message
    assert not marker.exists()
    assert resume_run(folder, trust_source=True).result.fingerprint == plain.fingerprint
    bot.unlink()
    part(folder, 1).unlink()
    assert "There is no strategy file" in refusal(folder)


def test_a_changed_bidder_is_refused_unless_its_copy_is_trusted(tmp_path: Path) -> None:
    bidder = Path(write_bot(tmp_path, "mine", bid="return 2"))
    folder = broken_off(tmp_path, f"lowest_card:bidder={bidder}")
    plain = duel(f"lowest_card:bidder={bidder}", "easy", boards=40)
    bidder.write_text(bidder.read_text().replace("return 2", "return 4"))
    assert "mine has changed since the run began (mine.py)" in refusal(folder)
    assert resume_run(folder, trust_source=True).result.fingerprint == plain.fingerprint


def test_a_bidder_that_the_spec_does_not_name_is_refused(tmp_path: Path) -> None:
    folder = broken_off(tmp_path, "lowest_card:bidder=easy")
    told = json.loads((folder / "run.json").read_text())
    told["a"]["bots"][0]["bidder"]["spec"] = "medium"
    changed_manifest(folder, a=told["a"])
    assert "must be the 'easy' of its spec, not 'medium'" in refusal(folder)


def test_nothing_in_the_folder_is_executed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    bot = write_bot(folder, "mine")
    play_duel(make_spec(bot, "easy", boards=40), keep=Keep(tmp_path / "else", "rows", 10))
    for file in (tmp_path / "else").iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    part(folder, 3).unlink()
    assert "lies in the run's own folder" in refusal(folder)


def test_a_changed_engine_is_refused(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part(copy, 3).unlink()
    monkeypatch.setattr("spadesim.match.kept.engine_digest", lambda: "0" * 12)
    assert "The engine has changed" in refusal(copy)


def test_totals_that_differ_from_the_rows_are_found(copy: Path) -> None:
    """A part whose footer was made for other rows, with a name that fits its bytes."""
    store = find(copy)
    good = store.read(1, part(copy, 1))
    good.tally[0]["sides"][0][14] += 10
    rewrite(store, 1, good)
    (fault,) = prove(store).faults
    assert fault[1] == "its totals differ from its rows in points by side"


def test_a_fingerprint_that_differs_from_the_cards_is_found(copy: Path) -> None:
    store = find(copy)
    good = store.read(1, part(copy, 1))
    good.tally[0]["fingerprint"][0] ^= 1
    rewrite(store, 1, good)
    assert prove(store).faults[0][1] == "its totals differ from its rows in fingerprint"


def rewrite(store: Store, number: int, changed: parts.Part) -> None:
    """Write a part with its rows as they are and another footer."""
    from spadesim.core.rows import new_book

    file = store.files()[number]
    names = [*parts.columns_of(store.manifest.spec.rules), parts.PLAYS]
    rows = parts.read_rows(file, names)
    n = len(rows["unit"])
    book = new_book(n, 13)
    for name in names[:-1]:
        book[0][name][:n] = rows[name]
    book[0]["plays"][: 13 * n] = rows[parts.PLAYS].ravel()
    book[0]["rows"] = n
    writer = parts.PartWriter(store.manifest.spec.rules, True)
    writer.take(book, True)
    store.write(number, writer.finish(changed))


def test_reading_refuses_what_is_no_part_of_the_run(copy: Path, tmp_path: Path) -> None:
    play_duel(
        make_spec("easy", "lowest_card", boards=100, seed=4, first=11),
        keep=Keep(tmp_path / "other", "rows", PART),
    )
    part(copy, 1).unlink()
    foreign = part(tmp_path / "other", 1)
    (copy / foreign.name).write_bytes(foreign.read_bytes())
    run = spadesim.load(copy)
    with pytest.raises(UserError, match="another run"):
        run.seats(["bid"])
    with pytest.raises(UserError, match="another run"):
        run.units()


READERS: dict[str, Callable[[Path], Any]] = {
    "result": lambda folder: result_of(find(folder)),
    "seats": lambda folder: spadesim.load(folder).seats(["bid"]),
    "units": lambda folder: spadesim.load(folder).units(),
    "hands": lambda folder: hands("nil", folder),
    "report": lambda folder: read_inputs([folder]),
    "counts": lambda folder: gather([spadesim.load(folder)], {"bids": Count(("bid",))}),
}
"""All that is told by the parts of a run."""


@pytest.mark.parametrize("gone", [[1], [6], [0, 3, 4, 5], list(range(7))], ids=str)
def test_every_reader_says_that_parts_are_missing(copy: Path, gone: list[int]) -> None:
    files = find(copy).files()
    for number in gone:
        files[number].unlink()
    told = set()
    for read in READERS.values():
        with pytest.raises(UserError) as error:
            read(copy)
        told.add(str(error.value))
    (message,) = told
    assert message.startswith(f"Part{'s' * (len(gone) > 1)} {gone[0]}")
    assert f"missing from '{copy}': spadesim duel --resume" in message


def test_every_reader_says_what_is_none_of_the_run(copy: Path) -> None:
    (copy / "part-000099-0123456789abcdef.parquet").write_bytes(b"junk")
    for read in READERS.values():
        with pytest.raises(UserError, match=r"Part 99 of .* is damaged"):
            read(copy)
    assert not resume_run(copy).was_finished
    for read in READERS.values():
        read(copy)


def test_a_run_that_could_not_begin_is_no_obstacle(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "lock").touch()
    (folder / ".run.json.draft").touch()
    assert keep(folder).boards == 100


def test_a_rule_is_asked_about_the_boards_before_a_gap_alone(tmp_path: Path) -> None:
    spec = make_spec("easy", "lowest_card", boards=2000, seed=3, stop=Stop("sprt", "-0.01,0.01"))
    folder = tmp_path / "run"
    play_duel(spec, keep=Keep(folder, "rows", 100), watch=Stopping(spec, spec.stop))
    part(folder, 7).unlink()
    with pytest.raises(UserError, match=r"Part 7 is missing from .*--resume"):
        result_of(find(folder))
    for file in folder.glob("part-*"):
        if file.name > "part-000007":
            file.unlink()
    changed_manifest(folder, result=None)  # as if its process had been killed
    found = result_of(find(folder))
    assert found.partial
    assert found.decision is not None
    assert (found.boards, found.decision.units) == (700, 500)  # whole batches, as while it played
    assert "budget of" not in found.verdict
