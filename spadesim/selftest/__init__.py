"""Proof, on the machine at hand, that the numbers can be trusted."""
