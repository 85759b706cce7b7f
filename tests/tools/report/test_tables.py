"""The tables of the page, whose code runs in Node."""

import json
import shutil
import subprocess
from pathlib import Path

from tests.programs import peer

TOOLS = Path(__file__).parents[3] / "tools"

SCRIPT = """
import { signed } from "./tables.js";
console.log(JSON.stringify([-0.0, -0.04, 0.04, -0.06, 12.34, -512].map(signed)));
"""


def test_no_figure_of_the_page_is_a_negative_zero(tmp_path: Path) -> None:
    shapes = TOOLS / "boards/static/shapes.js"
    for module in (*(TOOLS / "report" / "static").glob("*.js"), shapes):
        shutil.copy(module, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "signed.js").write_text(SCRIPT)
    done = subprocess.run(
        [peer("node"), "signed.js"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == ["+0.0", "+0.0", "+0.0", "\u22120.1", "+12.3", "\u2212512.0"]
