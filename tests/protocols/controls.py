"""A time control in plain numbers: all that a client sees of one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Control:
    """The attributes that `protocols.ask.contract.TimeControl` asks for."""

    kind: str = ""
    main: float = 0.0
    period: float = 0.0
    count: int = 0
    depth: int | None = None
    nodes: int | None = None
    visits: int | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.main} {self.period} {self.count}" if self.kind else ""
