"""Measure the page: `python -m tests.tools.play.web.measure`, with Chromium and Playwright.

It prints the time from the command to a usable page, from a click to the drawn move, the size of
the page, and the memory of the server with five games open.
"""

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from tests.programs import own_program
from tests.tools.play.web.browser import Tab, browser
from tools.play.web.site import site

CLICKS = """async count => {
    const svg = document.getElementById("board");
    const times = [];
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
    for (let i = 0; i < count; i += 1) {
        const box = svg.getScreenCTM();
        const x = 42 + 40 * (i % 17), y = 42 + 40 * Math.floor(i / 17);
        const point = new DOMPoint(x, y).matrixTransform(box);
        const listed = new Promise(resolve => {
            const seen = new MutationObserver(() => { seen.disconnect(); resolve(); });
            seen.observe(document.getElementById("moves"), {childList: true});
        });
        const options = {clientX: point.x, clientY: point.y, button: 0, bubbles: true};
        const start = performance.now();
        svg.dispatchEvent(new PointerEvent("pointerdown", options));
        svg.dispatchEvent(new PointerEvent("pointerup", options));
        await listed;  // Asking again and again would take the time from the server.
        times.push(performance.now() - start);
        await frame();
    }
    return times;
}"""


def resident(process: int) -> float:
    """Return the resident memory of a process in MB (Linux)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    return 0.0


def cpu(process: int) -> float:
    """Return the CPU time of a process in seconds (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the figures."""
    files = {name: len(file.data) for name, file in site().items() if name != "/"}
    print(f"size of the page: {sum(files.values()) / 1000:.1f} kB in {len(files)} files")
    with tempfile.TemporaryDirectory() as folder, browser() as started:
        environment = {**os.environ, "QUINTET_DATA": folder, "QUINTET_CONFIG": folder}
        begun = time.perf_counter()
        command = [*own_program("quintet"), "board", "--no-browser"]
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        ) as process:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            printed = time.perf_counter() - begun
            begun = time.perf_counter()
            tab = Tab(started, address)
            tab.page.wait_for_selector(".card")
            opened = time.perf_counter() - begun
            print(f"address printed after {printed:.2f} s, page usable {opened:.2f} s later")
            print(f"memory of the server before the first game: {resident(process.pid):.0f} MB")
            for game in ("shogi", "morris", "neutron", "senet", "go"):
                size = {"size": "19"} if game == "go" else {}
                tab.begin(game, mode="people", **size)
            begun = cpu(process.pid)
            times = sorted(tab.page.evaluate(CLICKS, 200))
            spent = 1000 * (cpu(process.pid) - begun) / len(times)
            print(
                f"from a click to the move in the page, 200 moves of Go on 19x19: median "
                f"{statistics.median(times):.1f} ms, 95 % {times[189]:.1f} ms, "
                f"longest {times[-1]:.1f} ms"
            )
            print(f"CPU time of the server per move: {spent:.1f} ms; load {os.getloadavg()[0]:.1f}")
            print(f"memory of the server with five games: {resident(process.pid):.0f} MB")
            tab.close()
            process.terminate()


if __name__ == "__main__":
    main()
