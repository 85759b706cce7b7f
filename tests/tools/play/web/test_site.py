import re

from engines import registry
from tools.boards.shapes import TAGS
from tools.play.web.site import site

SITE = site()


def script(name: str) -> str:
    return SITE[f"/{name}.js"].data.decode()


SCRIPTS = {name: file.data.decode() for name, file in SITE.items() if name.endswith(".js")}


def test_every_file_that_the_page_names_is_served() -> None:
    for file in SITE.values():
        text = file.data.decode()
        for name in re.findall(r'(?:src|href)="(/[^"]+)"', text):
            assert name in SITE, name
    for text in SCRIPTS.values():
        for name in re.findall(r'from "\.(/[^"]+)"', text):
            assert name in SITE, name


def test_nothing_refers_to_another_machine() -> None:
    for name, file in SITE.items():
        text = file.data.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//cdn|@import|url\((?!#)", text), name


def test_the_page_has_no_script_and_no_style_of_its_own() -> None:
    page = SITE["/"].data.decode()
    assert not re.search(r"<script(?! type=\"module\" src=)|<style|\sstyle=|\son\w+=", page)
    for name, text in SCRIPTS.items():
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|new Function", text), (
            name
        )


def test_every_text_that_the_page_uses_exists_and_none_is_left_over() -> None:
    keys = set(re.findall(r'^  "([^"]+)":', script("texts"), re.MULTILINE))
    sources = "".join(text for name, text in SCRIPTS.items() if name != "/texts.js")
    page = SITE["/"].data.decode()
    used = set(re.findall(r'data-(?:text|label|title)="([^"]+)"', page))
    used |= set(re.findall(r'(?:say|button|field|paragraphs|trouble)\("([^"]+)"', sources))
    counted = set(re.findall(r"sayCount\(([^,]+),", sources))
    used |= {f"{key}.one" for text in counted for key in re.findall(r'"([^"]+)"', text)}
    assert used <= keys
    built = tuple(re.findall(r"`([\w.]+\.)\$\{", sources))
    quoted = set(re.findall(r'"([\w.+/]+)"', sources))
    assert {key for key in keys - used - quoted if not key.startswith(built)} == set()
    for game in registry.GAMES:
        assert f"game.{game}" in keys
        assert all(f"side.{side}" in keys for side in registry.rules(game).sides)


def test_the_page_builds_the_shapes_that_pictures_consist_of() -> None:
    listed = re.search(r"TAGS = new Set\(\[(.*?)\]\)", script("shapes"), re.DOTALL)
    assert listed is not None
    assert set(re.findall(r'"(\w+)"', listed[1])) == set(TAGS)


def test_the_page_is_small() -> None:
    assert sum(len(file.data) for name, file in SITE.items() if name != "/") < 100_000
