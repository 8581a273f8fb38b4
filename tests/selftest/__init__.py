"""Tests of the selftest."""
