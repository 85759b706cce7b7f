"""`python -m tools` is `quintet`."""

from tools.cli import main

if __name__ == "__main__":
    main(prog_name="quintet")
