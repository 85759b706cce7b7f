from click.testing import CliRunner, Result

from tools.cli import main


def quintet(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_rules_are_printed() -> None:
    result = quintet("rules", "neutron")
    assert result.exit_code == 0
    assert "neutron" in result.output.lower()
