"""Do a tournament's intervals hold the truth? Makes up tournaments of which the truth is known, and counts.

``python experiments/rating_coverage.py`` takes some minutes, and prints a line for each case: how many of 10,000
tournaments had the true rating in its 95 % interval (mean over the players), all of them in their joint
intervals, and no false separation. Boards are few, noisy, unequal and shared, as real ones are: most show
no difference, the rest have wide tails, and every match has the luck of the same deals.

``--until-separated`` counts, instead, tournaments of equal players in which somebody was ever separated while
boards were added wherever the ranking was least certain, with a look after every block.
"""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np
import typer

from spadesim.match.extra import next_match
from spadesim.stats.davidson import ELO, GAMES, SCORE, davidson
from spadesim.stats.davidson import N_FEATURES as GAME_FEATURES
from spadesim.stats.davidson import expected_shares
from spadesim.stats.moments import FloatArray, Moments
from spadesim.stats.ratings import N_FEATURES, Ratings, design, features, least_squares, round_robin
