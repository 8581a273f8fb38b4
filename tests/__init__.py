"""Tests, laid out as the package is; what they share is imported as ``tests.NAME``."""
