"""Turns that are taken by clicks on the page."""

from tests.tools.play.sessions import Watch
from tests.tools.play.web.browser import Tab, is_waiting
from tools.boards.picture import clicks
from tools.play.session import PlaySession
from tools.play.snapshot import Phase, Snapshot

MOST_TURNS = 200


def settled(session: PlaySession) -> Snapshot:
    """Wait until a person has to do something."""
    with Watch(session) as watch:
        return watch.until(is_waiting)


def wait_beyond(session: PlaySession, version: int) -> None:
    with Watch(session) as watch:
        watch.until(lambda shown: shown.version > version)


def choose(shown: Snapshot) -> str:
    """Choose a move that ends the game soon."""
    if shown.game == "go":
        return "pass" if shown.plies >= 8 else shown.legal[shown.plies * 7 % (len(shown.legal) - 1)]
    return shown.legal[-1 if shown.game == "senet" else len(shown.legal) // 3]


def take_turn(tab: Tab, session: PlaySession, shown: Snapshot) -> None:
    """Do by clicks what the page waits for."""
    if shown.to_throw:
        tab.click(session, "die")
    elif shown.phase is Phase.SCORING:
        tab.press("Accept the score")
    else:
        move = choose(shown)
        if move == "pass":
            tab.press("Pass")
            return
        places = clicks(shown.game, move)
        tab.click(session, *(place for place in places if place != "+"))
        if shown.game == "shogi" and f"{move}+" in shown.legal:
            tab.press("Do not promote")
        elif move.endswith("+") and move[:-1] in shown.legal:
            tab.press("Promote")


def play_out(tab: Tab, session: PlaySession, turns: int = MOST_TURNS) -> Snapshot:
    """Play by clicks until the game is over, or for some turns."""
    shown = settled(session)
    for _ in range(turns):
        if shown.result is not None:
            break
        tab.wait_for(shown.version)
        take_turn(tab, session, shown)
        wait_beyond(session, shown.version)
        shown = settled(session)
    tab.wait_for(shown.version)
    return shown
