"""What a hand of a two-player draw table is worth, in percent of a trick.

Fitted by ``experiments/fit_draw.py`` on 1,000,000 hands of each table, seed 11,
played by two ``hard:draw_bags=off``, digest ca537a336f6e.
"""

import numpy as np

# By whether the second card is seen (no, yes), by suit (side suits, spades), by the higher cards
# of the suit that are unseen, by the own higher cards of the suit; the last of each for all more.
CARD_WORTH = np.array(
    (
        (
            (
                (88, 48, 20, -1, -7, -69),
                (53, 40, 14, 0, -8, -56),
                (26, 24, 11, -1, -5, -57),
                (15, 14, 7, 0, -5, -52),
                (12, 6, 4, -1, -2, -46),
                (11, -1, 0, 1, 3, -42),
                (11, -6, -2, 2, 7, -37),
                (12, -10, -4, 7, 10, -32),
            ),
            (
                (83, 84, 87, 73, 48, 61),
                (67, 68, 67, 57, 39, 60),
                (51, 53, 51, 43, 32, 59),
                (31, 38, 37, 33, 27, 57),
                (13, 22, 25, 26, 24, 56),
                (-3, 11, 17, 21, 23, 54),
                (-9, 4, 13, 19, 23, 54),
                (-9, 3, 11, 18, 23, 54),
            ),
        ),
        (
            (
                (107, 68, 34, 13, 3, -43),
                (65, 58, 32, 14, 3, -40),
                (40, 41, 29, 14, 8, -36),
                (32, 30, 25, 14, 9, -30),
                (30, 22, 20, 15, 13, -28),
                (30, 15, 16, 16, 15, -20),
                (30, 9, 12, 17, 18, -19),
                (27, 3, 5, 17, 18, -11),
            ),
            (
                (92, 88, 90, 72, 42, 52),
                (73, 69, 64, 52, 32, 54),
                (53, 50, 45, 35, 25, 54),
                (30, 33, 30, 26, 21, 53),
                (10, 17, 19, 20, 19, 50),
                (-6, 7, 13, 17, 20, 46),
                (-11, 2, 10, 16, 21, 47),
                (-12, -3, 4, 14, 24, 53),
            ),
        ),
    ),
    dtype=np.int64,
)

# By whether the second card is seen, by length.
SIDE_LENGTH_WORTH = np.array(
    ((189, 111, 67, 41, 15, -15, 0, 8), (190, 115, 73, 52, 34, 16, 33, 38)),
    dtype=np.int64,
)
SPADE_LENGTH_WORTH = np.array(
    (
        (-84, -60, -25, 19, 50, 66, 44, 30, 42, 46, 35, -22, 0),
        (-44, -34, -13, 22, 48, 57, 37, 25, 33, 37, 26, -9, 0),
    ),
    dtype=np.int64,
)

# By whether the second card is seen: for leading first, for each first card that the opponent
# kept, for each spade unseen.
BESIDE_WORTH = np.array(
    ((-9, -10, 6), (-8, 0, -27)),
    dtype=np.int64,
)
