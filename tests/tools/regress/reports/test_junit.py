from pathlib import Path
from xml.etree import ElementTree

import pytest

from engines.core.game import InvalidText
from tests.tools.regress.results import ALL
from tools.regress.reports.junit import write_junit

SCHEMA = Path(__file__).parents[3] / "data" / "junit-10.xsd"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "out.xml"
    write_junit(made, ALL, "an <engine>")
    return made


def test_jenkins_schema_accepts_it(path: Path, tmp_path: Path) -> None:
    xmlschema = pytest.importorskip("xmlschema")
    schema = xmlschema.XMLSchema(str(SCHEMA))
    schema.validate(str(path))
    write_junit(tmp_path / "none.xml", (), "x")
    schema.validate(str(tmp_path / "none.xml"))
    path.write_text(path.read_text("utf-8").replace(' failures="1"', ""), "utf-8")
    assert not schema.is_valid(str(path))


def test_counts_agree_with_the_exit_status(path: Path) -> None:
    root = ElementTree.parse(path).getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("8", "1", "1")
    first, second = root.findall("testsuite")
    assert (first.get("name"), first.get("skipped"), first.get("failures")) == (
        "d/a.suite",
        "1",
        "1",
    )
    assert (second.get("file"), second.get("skipped"), second.get("errors")) == (
        "d/b.tst",
        "3",
        "1",
    )


def test_each_test_says_what_became_of_it(path: Path) -> None:
    root = ElementTree.parse(path).getroot()
    cases = {str(case.get("name")): case for case in root.iter("testcase")}
    assert [child.tag for child in cases["good: a <title>"]] == []
    assert cases["good: a <title>"].get("time") == "1234.500"
    assert cases["good: a <title>"].get("classname") == "d.a.suite"
    assert [child.tag for child in cases["bad"]] == ["failure", "system-out"]
    failure = cases["bad"][0]
    assert failure.get("message") == "answered D4,\nexpected C3"
    assert "d/a.suite:7" in (failure.text or "")
    assert [child.tag for child in cases["old"]] == ["skipped"]
    assert cases["old"][0].get("message") == "known failure: as ever"
    assert [child.tag for child in cases["better"]] == []
    assert cases["10"][0].tag == "error"
    assert cases["30"][0].get("message") == "unsupported: no command attack"
    assert cases["40"][0].get("message") == "ignored"


def test_what_xml_cannot_hold_is_replaced(path: Path) -> None:
    root = ElementTree.parse(path).getroot()
    (error,) = root.iter("error")
    assert error.get("message") == 'a <b> & "c" \ufffd\ufffd ]]> ▲'


def test_a_file_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="cannot write"):
        write_junit(tmp_path / "no" / "such" / "a.xml", ALL, "x")
