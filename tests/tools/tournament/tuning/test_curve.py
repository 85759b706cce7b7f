from xml.etree import ElementTree

from tools.statistics.spsa import Parameter
from tools.tournament.tuning.curve import draw_course

PARAMETERS = (Parameter("<a> & b", 1.0, 0.0, 2.0, 0.1), Parameter("whole", 5, 0, 9, 1, whole=True))
SVG = "{http://www.w3.org/2000/svg}"


def test_each_value_has_a_chart_from_its_lowest_to_its_highest() -> None:
    course = [(1.0, 5.0), (2.0, 4.4), (0.0, 9.0)]
    tree = ElementTree.fromstring(draw_course(PARAMETERS, course, 4))
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    assert "<a> & b: 1 at the start, 0 now" in texts
    assert "whole: 5 at the start, 9 now" in texts
    frames = list(tree.iter(f"{SVG}rect"))
    lines = [line.attrib["points"].split() for line in tree.iter(f"{SVG}polyline")]
    assert [len(points) for points in lines] == [3, 3]
    top = float(frames[0].attrib["y"])
    bottom = top + float(frames[0].attrib["height"])
    heights = [float(point.split(",")[1]) for point in lines[0]]
    assert heights == [(top + bottom) / 2, top, bottom]
    halfway = float(frames[0].attrib["x"]) + float(frames[0].attrib["width"]) / 2
    assert float(lines[0][2].split(",")[0]) == halfway


def test_a_run_that_has_not_begun_is_drawn_too() -> None:
    tree = ElementTree.fromstring(draw_course(PARAMETERS, [(1.0, 5.0)], 10))
    assert tree.find(f"{SVG}title").text == "Values after 0 of 10 pairs of games"  # type: ignore[union-attr]


def test_long_runs_are_drawn_with_few_points_and_their_last_one() -> None:
    course = [(1.0 + at / 1e6, 5.0) for at in range(50_001)]
    drawn = draw_course(PARAMETERS, course, 50_000)
    assert len(drawn) < 40_000
    tree = ElementTree.fromstring(drawn)
    assert next(tree.iter(f"{SVG}polyline")).attrib["points"].split()[-1].startswith("632.0,")
