"""Given deals: as text and out of PBN files of any program, good and bad."""

from pathlib import Path

import pytest

from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match.deals import MAX_BYTES, read_deal
from spadesim.notation import deal_text

DEAL = "N:A942..JT8.J97654 QT6.AQT53.A.AT82 J8753.K976.Q92.3 K.J842.K76543.KQ"
OTHER = "E:A942..JT8.J97654 QT6.AQT53.A.AT82 J8753.K976.Q92.3 K.J842.K76543.KQ"

FILE = f"""% PBN 2.1
[Event "A club {{evening"]
[Board "7"]
[Dealer "W"]
[Deal "{DEAL}"]
{{a comment
[Deal "none of this"]
}}
[Play "N"]
SA S2 S3 S4

; [Board "8"]
[Event "#"]
[Board "9"]
[Dealer "#"]
[Deal "{OTHER}"] {{with a remark}}
[Event "the same board again"]
[Board "9"]
[Dealer "?"]
[Deal "{DEAL}"]
"""


def file_of(folder: Path, text: str | bytes, name: str = "deals.pbn") -> str:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def test_a_deal_as_text() -> None:
    deal, board = read_deal(DEAL, None, None, Rules())
    assert (deal_text(deal.hands), deal.dealer, board) == (DEAL, 0, 0)
    assert read_deal(DEAL, 4, "west", Rules()) == (deal._replace(dealer=3), 4)


@pytest.mark.parametrize(
    ("board", "text", "dealer", "number"), [(None, DEAL, 3, 7), (7, DEAL, 3, 7), (9, OTHER, 3, 9)]
)
def test_a_deal_of_a_file(tmp_path: Path, board: int | None, text: str, dealer: int, number: int) -> None:
    deal, unit = read_deal(file_of(tmp_path, FILE), board, None, Rules())
    assert deal_text(deal.hands, "NESW".index(text[0])) == text
    assert (deal.dealer, unit) == (dealer, number)


def test_the_dealer_who_is_asked_for_deals(tmp_path: Path) -> None:
    assert read_deal(file_of(tmp_path, FILE), 7, "S", Rules())[0].dealer == 2


def test_without_board_tags_deals_count_from_1(tmp_path: Path) -> None:
    file = file_of(tmp_path, f'[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n', "Deals.PBN")
    assert deal_text(read_deal(file, 2, None, Rules())[0].hands, 1) == OTHER


def test_a_file_with_windows_lines_and_a_mark(tmp_path: Path) -> None:
    file = file_of(tmp_path, b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    assert read_deal(file, 7, None, Rules())[1] == 7


BAD: dict[str, str | bytes] = {
    "deals.pbn, line 2: South has 12 cards, not 13.": f'\n[Deal "{DEAL.replace("J8753", "J875")}"]',
    "deals.pbn, line 1: 2S is dealt twice.": f'[Deal "{DEAL.replace("QT6", "QT2")}"]',
    "deals.pbn, line 1: The deal has 3 hands, not 4": f'[Deal "{DEAL[:50]}"]',
    "deals.pbn, line 1: In the hand": f'[Deal "{DEAL.replace("JT8", "JX8")}"]',
    "deals.pbn, line 1: The deal has 0 hands": '[Deal ""]',
    "There is no deal in": "[Event 'x']\n",
    "is not a text: a PBN file": b"\x7fELF\0\0",
    "deals.pbn, line 2: this is not UTF-8.": b"[Event]\n\xe4",
    "is larger than 20 MB": b"x" * (MAX_BYTES + 1),
    "There is no board 7 in": f'[Board "1"]\n[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "{DEAL}"]',
}


@pytest.mark.parametrize("message", BAD)
def test_bad_files(tmp_path: Path, message: str) -> None:
    board = 7 if "board 7" in message else None
    with pytest.raises(UserError) as error:
        read_deal(file_of(tmp_path, BAD[message]), board, None, Rules())
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(UserError, match=r"The file 'nowhere\.pbn' cannot be read: No such file"):
        read_deal("nowhere.pbn", None, None, Rules())


def test_braces_without_end_cost_no_time(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no deal"):
        read_deal(file_of(tmp_path, b"{" * 10**6 + b"\n{" * 10**6), None, None, Rules())
