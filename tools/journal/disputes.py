"""The file of the games of Go whose engines disagreed about the result."""

import json
from collections.abc import Iterable
from typing import Final

from tools.records.filing import record_name
from tools.records.game import GameRecord

DISPUTES: Final = "disputes.jsonl"


def format_disputes(records: Iterable[GameRecord]) -> bytes:
    """Return the file of disputes: one JSON object per line, empty if there are none."""
    lines = [json.dumps(_dispute(record), ensure_ascii=False) + "\n" for record in records]
    return "".join(lines).encode()


def _dispute(record: GameRecord) -> dict[str, object]:
    assert record.count is not None
    return {
        "game": record.number,
        "attempt": record.attempt,
        "record": record_name(record),
        "players": [str(player) for player in record.players],
        "moves": len(record.moves),
        **record.count.to_json(),
    }
