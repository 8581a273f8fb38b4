"""Estimates with honest intervals, as pure functions of the integer sums that a run keeps."""
