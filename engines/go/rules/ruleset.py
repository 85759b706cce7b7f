"""The rule sets of Go by name, and the points in which they differ."""

import json
from dataclasses import dataclass
from typing import Final

from engines.core.game import InvalidText

SIMPLE: Final = "simple"
POSITIONAL: Final = "positional"
SITUATIONAL: Final = "situational"
AREA: Final = "area"
TERRITORY: Final = "territory"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set: counting, repetition, suicide and compensation for a handicap."""

    name: str
    title: str  # As in the property RU of SGF.
    ko: str
    scoring: str
    komi: float
    suicide: bool = False  # Of several stones; suicide of a single stone is always illegal.
    bonus: str = "0"  # Points for White's N handicap stones: "0", "N-1" or "N".
    judged: bool = True  # If false, all stones on the board count as alive.
    seki_tax: bool = False  # Points inside a seki do not count.

    def describe(self) -> str:
        """Return a short description of the rule set."""
        superko = "simple ko" if self.ko == SIMPLE else f"{self.ko} superko"
        suicide = "suicide allowed" if self.suicide else "no suicide"
        alive = "" if self.judged else ", all stones alive"
        return f"{self.scoring}, {superko}, {suicide}{alive}"

    def to_kata(self) -> str:
        """Describe the rule set as KataGo does, in JSON."""
        return json.dumps(
            {
                "hasButton": False,
                "ko": self.ko.upper(),
                "scoring": self.scoring.upper(),
                "suicide": self.suicide,
                "tax": "SEKI" if self.seki_tax else "NONE",
                "whiteHandicapBonus": self.bonus,
                "friendlyPassOk": self.judged,
            },
            separators=(",", ":"),
        )

    def handicap_points(self, stones: int) -> int:
        """Return the points that White gets for a handicap of so many stones."""
        if stones < 2 or self.bonus == "0":
            return 0
        return stones if self.bonus == "N" else stones - 1


RULE_SETS: Final = {
    rules.name: rules
    for rules in (
        RuleSet("chinese", "Chinese", POSITIONAL, AREA, 7.5, bonus="N"),
        RuleSet("japanese", "Japanese", SIMPLE, TERRITORY, 6.5, seki_tax=True),
        RuleSet("tromp-taylor", "Tromp-Taylor", POSITIONAL, AREA, 7.5, suicide=True, judged=False),
        RuleSet("aga", "AGA", SITUATIONAL, AREA, 7.5, bonus="N-1"),
        RuleSet("new-zealand", "NZ", SITUATIONAL, AREA, 7.0, suicide=True),
        RuleSet("chinese-ogs", "Chinese", POSITIONAL, AREA, 7.5, bonus="N"),
        RuleSet("chinese-kgs", "Chinese", POSITIONAL, AREA, 7.5, bonus="N"),
        RuleSet("cgos", "Chinese", POSITIONAL, AREA, 7.5, judged=False),
        RuleSet("korean", "Korean", SIMPLE, TERRITORY, 6.5, seki_tax=True),
    )
}
_ALIASES: Final = {"bga": "aga", "nz": "new-zealand"}
DEFAULT: Final = RULE_SETS["chinese"]


def named(text: str, default: RuleSet = DEFAULT) -> RuleSet:
    """Return the rule set that a record names in any spelling, or else the default."""
    try:
        return find(text) if text.strip() else default
    except InvalidText:
        return default


def find(name: str) -> RuleSet:
    """Return a rule set by name, ignoring underscores and case; raises InvalidText."""
    known = name.strip().lower().replace("_", "-").replace(" ", "-") or DEFAULT.name
    known = _ALIASES.get(known, known)
    if known not in RULE_SETS:
        raise InvalidText(f"no such rule set: {name!r} (known: {', '.join(RULE_SETS)})")
    return RULE_SETS[known]
