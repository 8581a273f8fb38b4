"""Tests of the matches: what is asked for, how it is played, and what is said about it."""
