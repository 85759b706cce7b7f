"""The positions that the page computes are those of the referee's rules."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.game import Game
from tests.programs import peer
from tests.tools.report.cups import random_moves

STATIC = Path(__file__).parents[3] / "tools" / "report" / "static"

# A set-up is read by the page's own code as well, which the first position of each game tests.
SCRIPT = """
const { positions } = await import(process.argv[1]);
const games = JSON.parse(await new Response(process.stdin).text());
const cells = (position) => JSON.stringify(Object.entries(position.cells).sort());
for (const { game, setups, moves } of games) {
  positions(game, setups[0], moves).forEach((position, ply) => {
    const [expected] = positions(game, setups[ply], []);
    const same = cells(position) === cells(expected)
      && JSON.stringify(position.aside) === JSON.stringify(expected.aside)
      && JSON.stringify(position.held) === JSON.stringify(expected.held);
    if (!same) {
      const line = JSON.stringify(moves.slice(0, ply));
      console.log(`${game}, after ${line}: ${JSON.stringify(position)}, not ${setups[ply]}`);
      process.exit(1);
    }
  });
}
console.log(games.length);
"""


def replayed(game: str, size: int, variant: str, moves: list[str]) -> dict[str, Any]:
    """Return a game with its set-up after each move, by the rules."""
    rules = registry.rules(game, variant, size)
    played: Game[Any] = Game(rules)
    setups, made = [rules.setup(played.position)], []
    for text in moves:
        made.append({"side": played.position.turn, "text": text})
        played.play(text)
        setups.append(rules.setup(played.position))
    return {"game": game, "setups": setups, "moves": made}


def compare(tmp_path: Path, games: list[dict[str, Any]]) -> str:
    module = (STATIC / "positions.js").as_uri()
    script = tmp_path / "compare.mjs"
    script.write_text(SCRIPT.replace("process.argv[1]", json.dumps(module)))
    done = subprocess.run(
        [peer("node"), str(script)],
        input=json.dumps(games),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize(
    ("game", "size", "plies"),
    [
        ("go", 5, 120),
        ("go", 19, 60),
        ("shogi", 0, 160),
        ("morris", 0, 80),
        ("neutron", 0, 40),
        ("senet", 0, 400),
    ],
)
def test_the_page_follows_random_games_as_the_rules_do(
    game: str, size: int, plies: int, tmp_path: Path
) -> None:
    source = random.Random(11)
    games = [
        replayed(game, size, "", [move.text for move in random_moves(game, size, plies, source)])
        for _ in range(4)
    ]
    assert max(len(each["moves"]) for each in games) > 10
    assert compare(tmp_path, games) == "4"


def test_suicide_promotions_captures_and_drops_are_followed(tmp_path: Path) -> None:
    games = [
        replayed("go", 4, "tromp-taylor", ["A1", "A2", "pass", "B2", "pass", "C1", "B1"]),
        replayed("shogi", 0, "", ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]),
        replayed("neutron", 0, "", ["b1-b4", "c3-c4/a5-a2"]),
    ]
    assert compare(tmp_path, games) == "3"
