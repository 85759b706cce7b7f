import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from tests.tools.report.cups import write_cup
from tools.report.data import report_data
from tools.report.page import render_page, site

NASTY = "</script><script>alert(1)</script><!-- & \u2028 'a' \"b\""


def page(tmp_path: Path, **more: Any) -> str:
    return render_page(report_data(write_cup(tmp_path, **more)))


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_a_page_holds_its_data_whatever_the_names_are(tmp_path: Path) -> None:
    text = page(tmp_path, names=(NASTY, "b"))
    assert text.count("</script>") == 2
    assert "alert(1)</script>" not in text
    assert "\u2028" not in text
    names = {engine["name"] for engine in data_of(text)["ratings"]["engines"]}
    assert names == {NASTY, "b"}


def test_a_page_loads_nothing_and_runs_nothing_but_its_own_script(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert not re.search(r'\s(?:src|href|style|on\w+)="', text)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    parts = {
        "script": re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL),
        "style": re.search(r"<style>(.*?)</style>", text, re.DOTALL),
    }
    for kind, found in parts.items():
        assert found is not None
        digest = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy[1]


def test_all_modules_are_in_the_script_behind_those_that_they_use(tmp_path: Path) -> None:
    text = page(tmp_path)
    order = re.findall(r"(?:^|>)const module_(\w+) = ", text, re.MULTILINE)
    own = {name.strip("/").removesuffix(".js") for name in site() if name.endswith(".js")}
    assert set(order) == own - {"connection"}  # Only a server has that one.
    assert order[-1] == "report"
    assert order.index("shapes") < order.index("plots") < order.index("tables")
    assert not re.search(r"^(?:import|export) ", text, re.MULTILINE)


def test_nothing_in_the_files_refers_to_another_machine_or_writes_html() -> None:
    for name, file in site().items():
        text = file.data.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|@import|url\((?!#)", text), name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|new Function", text), (
            name
        )


def test_every_file_that_the_page_of_the_server_names_is_served() -> None:
    files = site()
    for file in files.values():
        text = file.data.decode()
        for name in re.findall(r'(?:src|href)="(/[^"]+)"', text):
            assert name in files
        for name in re.findall(r'(?:from |import\()"\.(/[^"]+)"', text):
            assert name in files
