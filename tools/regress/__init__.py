"""Engine moves under test: suites of questions with known answers, run and reported."""
