import shlex
from dataclasses import replace
from pathlib import Path

from tests.tools.tournament.tuning.test_options import OPTIONS
from tools.match.options import MatchOptions, match_spec
from tools.roster.sides import read_side
from tools.statistics.spsa import Parameter
from tools.tournament.tuning.options import tuning_spec
from tools.tournament.tuning.plan import Knob, Way
from tools.tournament.tuning.proof import proof_line, proof_words
from tools.tournament.tuning.state import TuningState

KNOBS = (
    Knob(Parameter("level", 3, 1, 10, 1, whole=True), Way.OPTION, "level"),
    Knob(Parameter("c", 1.0, 0.0, 2.0, 0.1), Way.COMMAND, "param c {}"),
    Knob(Parameter("w", 1.5, 0.0, 2.0, 0.1), Way.ARGUMENT, "--weight {}"),
)


def test_the_line_is_a_match_of_the_same_engine_on_the_same_terms() -> None:
    options = replace(
        OPTIONS,
        sides=(read_side("quintet-neutron", ["options.seed=4", "environment.A=b"]),),
        command=("quintet-neutron",),
        knobs=KNOBS,
        times=("nodes=50",),
        variant="kraus",
        max_plies=90,
        lag=0.5,
    )
    made = tuning_spec(options)
    state = TuningState(("a", "b"), KNOBS, 10, 1, 10)
    state.proof = proof_words(options, made)
    state.spsa.values = [5.2, 0.75, 1.25]
    words = shlex.split(proof_line(state))
    assert words[:4] == ["quintet", "match", "quintet-neutron '--weight 1.25'", "name=tuned"]
    at = words.index("name=before")
    tuned, before = words[3:at], words[at:]
    assert {"options.seed=4", "environment.A=b", "options.level=5"} <= set(tuned)
    assert "commands=param c 0.75" in tuned
    assert {"options.seed=4", "options.level=3", "commands=param c 1"} <= set(before)
    for pair in (
        ["--time", "nodes=50"],
        ["--variant", "kraus"],
        ["--max-plies", "90"],
        ["--lag", "0.5"],
        ["--sprt", "elo0=0,elo1=10"],
    ):
        at = before.index(pair[0])
        assert before[at : at + 2] == pair
    # It can be read back as the options of a match.
    engines = [*words[2 : words.index("--time")]]
    spec = match_spec(MatchOptions(tuple(engines), game="neutron", times=("nodes=50",)))
    assert [engine.label for engine in spec.engines] == ["tuned", "before"]


def test_openings_are_named(tmp_path: Path) -> None:
    options = replace(OPTIONS, openings=tmp_path / "o.txt", order="random")
    words = proof_words(options, tuning_spec(options))["terms"]
    assert words[words.index("--openings") + 1] == str(tmp_path / "o.txt")
    assert words[words.index("--order") + 1] == "random"
