"""Regression tests of engine moves: suites of questions whose answers are known."""
