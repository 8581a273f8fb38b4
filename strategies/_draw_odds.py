"""What a hand of a two-player draw table is worth, in percent of a trick.

Fitted by ``experiments/fit_draw.py`` on 1,000,000 hands of each table, seed 11, played by
two ``hard:bags=off,draw_keep=simple``, digest f174af2bab88.
"""

import numpy as np

# By whether the second card is seen (no, yes), by suit (side suits, spades), by the higher cards of
# the suit that are unseen, by the own higher cards of the suit; the last of each for all more.
CARD_WORTH = np.array(
    (((( 89,  45,  15,  -3,  -9, -59),
       ( 51,  37,  14,  -1,  -8, -52),
       ( 22,  26,  11,  -1,  -5, -54),
       ( 16,  16,   7,  -1,  -5, -51),
       ( 13,   7,   4,  -1,  -2, -45),
       ( 11,  -1,   1,   1,   2, -41),
       ( 10,  -6,  -2,   2,   7, -35),
       ( 12, -11,  -4,   7,   9, -32)),
      (( 82,  85,  90,  77,  50,  59),
       ( 69,  70,  70,  59,  40,  57),
       ( 53,  55,  52,  44,  32,  56),
       ( 33,  39,  38,  33,  27,  54),
       ( 14,  22,  25,  25,  23,  53),
       ( -2,  11,  16,  19,  22,  51),
       (-10,   3,  11,  17,  22,  51),
       ( -9,   2,   9,  16,  21,  52))),
     (((107,  65,  32,  11,  -1, -36),
       ( 62,  56,  31,  13,   3, -39),
       ( 37,  43,  27,  13,   6, -36),
       ( 32,  31,  23,  13,   8, -31),
       ( 29,  21,  19,  14,  12, -27),
       ( 28,  13,  15,  15,  15, -20),
       ( 29,   7,  11,  16,  17, -18),
       ( 26,   0,   4,  16,  17, -12)),
      (( 91,  90,  92,  77,  43,  50),
       ( 75,  70,  66,  54,  33,  52),
       ( 56,  52,  46,  37,  25,  52),
       ( 32,  34,  31,  26,  20,  51),
       ( 10,  17,  18,  18,  19,  48),
       ( -7,   6,  11,  15,  19,  44),
       (-12,   0,   8,  14,  20,  45),
       (-12,  -3,   3,  12,  23,  51)))),
    dtype=np.int64,
)

# By whether the second card is seen, by length.
SIDE_LENGTH_WORTH = np.array(
    ((191, 111,  67,  42,  15, -14,  -2,   5),
     (191, 114,  73,  52,  33,  14,  29,  35)),
    dtype=np.int64,
)
SPADE_LENGTH_WORTH = np.array(
    ((-92, -57, -23,  20,  53,  67,  45,  28,  40,  46,  37, -26,   0),
     (-53, -32, -11,  23,  51,  59,  37,  23,  30,  36,  28, -11,   0)),
    dtype=np.int64,
)

# By whether the second card is seen: for leading first, for each first card that the opponent kept,
# for each spade unseen.
BESIDE_WORTH = np.array(
    (( -9, -10,   6),
     ( -9,   0, -26)),
    dtype=np.int64,
)
