"""A duel that travels: the same counts elsewhere, or a refusal that names what cannot travel, or who."""

import pickle
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import pytest

from spadesim.core.tally import new_tally
from spadesim.errors import UserError
from spadesim.match import travel
from spadesim.match.bots_of_run import digest_of
from spadesim.match.duel import load, seat_sides
from spadesim.match.manifest import describe_bot, make_manifest
from spadesim.match.parts import Header
from spadesim.match.recording import Player
from spadesim.match.run import Chunk, DuelWork, Played, play_pieces
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.match.travel import Errand, build, make_there, pack, play_there
from tests.match.bots import write_bot

pytestmark = pytest.mark.compiled_only

HELPER = """from spadesim.strategy import jit


@jit
def number(view):
    return 3
"""


def ready(spec: DuelSpec) -> tuple[Any, Any]:
    sides = load(spec.a), load(spec.b)
    return sides, seat_sides(spec, sides)


def elsewhere(function: Any, *arguments: Any) -> Any:
    """What a function returns to another process."""
    return pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(arguments)))))


class Guest(NamedTuple):
    """A bot with a helper beside it, loaded, in a duel against a bundled one."""

    folder: Path
    spec: DuelSpec
    sides: Any
    bots: Any


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Guest:
    folder = tmp_path_factory.mktemp("guest")
    file = Path(write_bot(folder, "guest", bid="return number(view)", play="return easy.play(view, p)"))
    (folder / "aid.py").write_text(HELPER)
    imports = "from aid import number\nfrom spadesim.strategies import easy\n"
    file.write_text(file.read_text().replace("\n\n\n@jit", f"\n{imports}\n\n@jit", 1))
    spec = make_spec(str(file), "easy", boards=70, seed=4, first=10)
    return Guest(folder, spec, *ready(spec))


@pytest.fixture
def guest(loaded: Guest) -> Iterator[Guest]:
    """The same with its files as they were."""
    texts = {file: file.read_text() for file in loaded.folder.glob("*.py")}
    yield loaded
    for file, text in texts.items():
        file.write_text(text)


def test_a_bot_travels_with_all_that_it_imports(guest: Guest) -> None:
    errand = pack(guest.spec, guest.sides, guest.bots)
    for file in guest.folder.glob("*.py"):
        file.unlink()  # nothing is read from here any more
    ours = play_pieces(guest.spec, guest.bots, Chunk(30, 50), 20, 0, True)
    theirs = elsewhere(play_there, build(), errand, Chunk(30, 50), 20, 0, True)
    assert [piece for piece, _ in theirs] == [Chunk(30, 20), Chunk(50, 20), Chunk(70, 10)]
    for (_, one), (_, other) in zip(ours, theirs, strict=True):
        assert (one.tally == other.tally).all()
        assert (one.outcomes == other.outcomes).all()


def test_a_weakness_travels_with_its_bot() -> None:
    counts = []
    for side in ("easy", "easy~blunder=0.3"):
        spec = make_spec(side, "lowest_card", boards=40)
        sides, bots = ready(spec)
        ((_, ours),) = play_pieces(spec, bots, Chunk(0, 40), 40, 0, False)
        ((_, theirs),) = elsewhere(play_there, build(), pack(spec, sides, bots), Chunk(0, 40), 40, 0, False)
        assert (ours.tally == theirs.tally).all()
        counts.append(theirs.tally)
    assert (counts[0] != counts[1]).any()


def test_a_bidder_travels_with_its_bot(tmp_path: Path) -> None:
    """By its name where every worker has it, else with its sources, beside a bot that has none to bring."""
    two = Path(write_bot(tmp_path, "two", bid="return 2"))
    for bidder in ("lowest_card", str(two)):
        spec = make_spec(f"easy:bidder={bidder}", "easy", boards=40, seed=11)
        sides, bots = ready(spec)
        errand = pack(spec, sides, bots)
        ((_, ours),) = play_pieces(spec, bots, Chunk(0, 40), 40, 0, False)
        two.unlink(missing_ok=bidder == "lowest_card")
        ((_, theirs),) = elsewhere(play_there, build(), errand, Chunk(0, 40), 40, 0, False)
        assert (ours.tally == theirs.tally).all()
        if bidder == "lowest_card":
            two = Path(write_bot(tmp_path, "two", bid="return 2"))


def test_a_bidder_that_was_edited_cannot_travel(tmp_path: Path) -> None:
    two = Path(write_bot(tmp_path, "two", bid="return 2"))
    spec = make_spec(f"easy:bidder={two}", "easy", boards=4)
    sides, bots = ready(spec)
    two.write_text(two.read_text().replace("return 2", "return 1"))
    with pytest.raises(UserError, match="two has changed since it was loaded"):
        pack(spec, sides, bots)


def test_what_lies_elsewhere_cannot_travel(
    guest: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (guest.folder / "aid.py").rename(tmp_path / "aid.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UserError, match=r"guest cannot travel to other machines: it imports '.*aid\.py'"):
        pack(guest.spec, guest.sides, guest.bots)


def test_a_bot_that_was_edited_since_it_was_loaded_cannot_travel(guest: Guest) -> None:
    (guest.folder / "aid.py").write_text(HELPER.replace("3", "4"))
    with pytest.raises(UserError, match=r"guest has changed since it was loaded"):
        pack(guest.spec, guest.sides, guest.bots)


def test_a_bot_that_reads_a_file_is_told_so_by_the_worker(guest: Guest) -> None:
    told = describe_bot(guest.sides[0].lower)
    texts = {PurePosixPath(name): text.encode() for name, text in told["sources"]}
    texts[PurePosixPath("aid.py")] += b"open(__file__ + 'x').close()\n"
    told["sources"] = [[str(path), text.decode()] for path, text in texts.items()]
    told["digest"] = digest_of(texts)
    errand = zlib.compress(pickle.dumps(Errand(guest.spec, (told,) * 4, None, "")))
    with pytest.raises(UserError, match=r"The worker .* cannot play: .*aid\.py, line 7: .*FileNotFoundError"):
        play_there(build(), errand, Chunk(0, 1), 1, 0, False)


def test_an_errand_does_not_depend_on_which_units_are_played() -> None:
    sides, bots = ready(make_spec("easy", "lowest_card", games=20))
    packed = {
        pack(make_spec("easy", "lowest_card", games=games, first=first), sides, bots)
        for games, first in ((20, 0), (800, 0), (20, 77))
    }
    assert len(packed) == 1
    assert len(packed.pop()) < 2000  # bundled bots travel by name


@pytest.mark.parametrize("record", ["rows", "cards"])
def test_a_part_made_elsewhere_has_the_same_bytes(record: str) -> None:
    spec = make_spec("easy", "lowest_card", games=40, seed=3)
    sides, bots = ready(spec)
    manifest = make_manifest(spec, sides, record, 10)
    header = Header(manifest.id, 1, 10, 7)
    ours = Player(spec, bots, manifest.has_plays).play(header)
    theirs = elsewhere(make_there, build(), pack(spec, sides, bots), header, manifest.has_plays)
    assert theirs.data == ours.data
    assert theirs.part.header == header


def test_pieces_end_where_batches_do() -> None:
    work = DuelWork(
        make_spec("easy", "easy", boards=100, first=7), *ready(make_spec("easy", "easy", boards=1)), 30, True
    )
    pieces = [piece for piece, _ in work(Chunk(7 + 25, 50))]
    assert pieces == [Chunk(32, 5), Chunk(37, 30), Chunk(67, 15)]


@pytest.mark.parametrize("name", ["spadesim", "engine", "numba", "numpy"])
def test_a_worker_of_another_build_is_refused_by_name(name: str) -> None:
    other = build()._replace(**{name: "0.0"})
    with pytest.raises(UserError, match=r"The worker process \d+ on .* is refused: .* 0\.0"):
        play_there(other, b"what nobody could read", Chunk(0, 1), 1, 0, False)


def test_a_worker_that_comes_to_other_bits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec("easy", "lowest_card", boards=9, seed=8)
    sides, bots = ready(spec)
    with monkeypatch.context() as patch:
        patch.setattr(travel, "bits_of", lambda *_: "0123456789abcdef")
        errand = pack(spec, sides, bots)
    with pytest.raises(UserError, match="come to other bits there"):
        play_there(build(), errand, Chunk(0, 1), 1, 0, False)


def test_a_worker_with_another_table_of_chances_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec("easy", "lowest_card", boards=9, seed=9)
    sides, bots = ready(spec)
    with monkeypatch.context() as patch:
        patch.setattr(travel, "equity_digest", lambda _: "another")
        errand = pack(spec, sides, bots)
    with pytest.raises(UserError, match="its table of win chances is another one"):
        play_there(build(), errand, Chunk(0, 1), 1, 0, False)


def test_a_worker_with_another_bundled_bot_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec("easy", "lowest_card", boards=9, seed=10)
    sides, bots = ready(spec)
    errand = pack(spec, sides, bots)
    monkeypatch.setattr(travel, "source_digest", lambda _: "another")
    with pytest.raises(UserError, match="cannot play: its easy is another one"):
        play_there(build(), errand, Chunk(0, 1), 1, 0, False)


def test_what_a_bot_raises_comes_back_as_words() -> None:
    class OwnError(Exception):
        """One that no other process knows."""

    played = elsewhere(lambda: Played(new_tally(), None, 0.0, new_tally(), OwnError("no way")))
    assert str(played.error) == "OwnError: no way"
