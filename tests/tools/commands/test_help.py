import pytest
from click.testing import CliRunner, Result

from tools.cli import COMMANDS, main
from tools.commands.topics import TOPICS, Examples, Lines


def help_of(*words: str) -> Result:
    return CliRunner().invoke(main, ["help", *words])


def test_without_a_topic_the_topics_are_listed() -> None:
    result = help_of()
    assert result.exit_code == 0
    for name, topic in TOPICS.items():
        assert f"  {name} " in result.output
        assert topic.line in " ".join(result.output.split())


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_is_printed_whole(name: str) -> None:
    result = help_of(name)
    assert result.exit_code == 0
    flat = " ".join(result.output.split())
    for part in TOPICS[name].parts:
        if isinstance(part, Lines):
            assert all(f"  {line}\n" in result.output for line in part.lines)
        elif isinstance(part, Examples):
            assert all(f"{text} {meaning}" in flat for text, meaning in part.meanings.items())
        else:
            assert part in flat


def test_a_topic_with_the_name_of_a_command_points_to_it() -> None:
    shared = TOPICS.keys() & COMMANDS.keys()
    assert shared == {"openings"}
    assert "`quintet openings --help`" in " ".join(help_of("openings").output.split())


def test_the_name_of_a_command_prints_its_help() -> None:
    assert help_of("perft").output.splitlines() == (
        CliRunner().invoke(main, ["perft", "--help"]).output.splitlines()
    )


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("tme", "did you mean time?"),
        ("mtach", "did you mean match?"),
        ("xyzzy", "(topics: time,"),
        ("go", "quintet rules go"),
    ],
)
def test_an_unknown_word_is_answered_with_near_ones(word: str, hint: str) -> None:
    result = help_of(word)
    assert result.exit_code == 2
    assert f"no such topic or command: '{word}'" in result.stderr
    assert hint in result.stderr
