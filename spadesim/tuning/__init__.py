"""Which settings are best: sweeps over values, tuning of several at once, and aiming at a strength."""
