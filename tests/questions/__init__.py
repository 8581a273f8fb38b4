"""Tests of the statistics: by hand, against published figures and other libraries, and by simulation."""
