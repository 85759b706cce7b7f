"""The .tst suites of GNU Go and GoGui: GTP commands with expected replies."""
