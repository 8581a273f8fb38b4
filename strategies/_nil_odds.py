"""The odds that a nil is made, card by card, in thousandths of a logit.

Fitted to 719,593 nils, bid with any hand, 50.1 % of them made, among four ``hard`` with the odds of an
earlier fit. ``spadesim fit hard --nil --play 2000000 --cards FILE.py`` makes such a module.
"""

import numpy as np

NIL_BASE = -2530

# Rows: place in the suit from the lowest card, the last row for all higher ones. Columns: 2 to ace.
NIL_SIDE = np.array(
    (
        (712, 712, 705, 678, 577, 439, 271, 75, -155, -416, -668, -1040, -4297),
        (0, 367, 369, 355, 339, 282, 193, 15, -223, -474, -719, -1100, -2534),
        (0, 0, 158, 131, 128, 118, 106, 65, -4, -82, -229, -444, -825),
        (0, 0, 0, 288, 264, 285, 266, 255, 241, 222, 184, 136, 72),
        (0, 0, 0, 0, 304, 381, 367, 409, 387, 376, 370, 315, 274),
        (0, 0, 0, 0, 0, 625, 378, 500, 444, 451, 395, 343, 286),
    ),
    dtype=np.int64,
)

NIL_SPADE = np.array(
    (
        (351, 334, 290, 256, 233, 146, 119, -41, -160, -305, 0, 0, 0),
        (0, 327, 315, 284, 240, 192, 157, 101, -2, -59, 0, 0, 0),
        (0, 0, 245, 209, 188, 158, 125, 61, 2, -13, 0, 0, 0),
        (0, 0, 0, -1081, -757, -774, -803, -845, -899, -999, 0, 0, 0),
    ),
    dtype=np.int64,
)
