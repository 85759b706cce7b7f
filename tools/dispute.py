"""Games of Go whose engines did not agree about the result: the file that tells of them."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from tools.filing import record_name
from tools.record import GameRecord

DISPUTES: Final = "disputes.jsonl"


def format_disputes(records: Iterable[GameRecord]) -> bytes:
    """Return the file of disputes: a JSON object a line, empty without any."""
    lines = [json.dumps(_told(record), ensure_ascii=False) + "\n" for record in records]
    return "".join(lines).encode()


def _told(record: GameRecord) -> dict[str, object]:
    assert record.count is not None
    return {
        "game": record.number,
        "attempt": record.attempt,
        "record": record_name(record),
        "players": [str(player) for player in record.players],
        "moves": len(record.moves),
        **asdict(record.count),
    }
