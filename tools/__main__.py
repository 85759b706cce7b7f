"""Run `quintet`, also by `python -m tools`."""

from protocols.child.orphans import adopt
from tools.cli import main


def run() -> None:
    """Run the command in a process of its own, which may adopt what engines leave behind."""
    adopt()
    main(prog_name="quintet")


if __name__ == "__main__":
    run()
