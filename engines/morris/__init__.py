"""Nine Men's Morris: rules, search, tables and the program of the line protocol.

As a library, the rules with the history of a game, and the reason for every illegal move:

>>> from engines.core.game import Game
>>> from engines.morris.rules.text import make_rules
>>> game = Game(make_rules())  # Or make_rules("no-flying,double-removal").
>>> moves = [game.play(text) for text in "a1 d2 d1 d6 g1xd6".split()]
>>> print(game.rules.diagram(game.position))
    A   B   C   D   E   F   G
1   O-----------O-----------O
    |           |           |
2   |   .-------X-------.   |
    |   |       |       |   |
3   |   |   .---.---.   |   |
    |   |   |       |   |   |
4   .---.---.       .---.---.
    |   |   |       |   |   |
5   |   |   .---.---.   |   |
    |   |       |       |   |
6   |   .-------.-------.   |
    |           |           |
7   .-----------.-----------.
O white, X black; in hand: white 6, black 7
>>> game.play("g1")
Traceback (most recent call last):
engines.core.game.IllegalMove: illegal move g1: g1 is occupied
>>> game.outcome() is None
True

A player that chooses moves, here within 1000 nodes:

>>> from engines.core.search import Limits
>>> from engines.morris.play.levels import make_searcher
>>> player = make_searcher("9", seed=1)
>>> move = player.search(game, Limits(nodes=1000), stop=lambda: False, report=lambda report: None)
>>> move in game.position.legal_moves()
True

The outcome of a position with few men by the shipped tables:

>>> from engines.morris.tables.knowledge import known
>>> rules = make_rules()
>>> known(rules, rules.start("W.W/.../.../.W..../.../B.B/B.. w 0 0 0"))
Outcome(winner=0, reason='a win in 1 plies', both=False)
"""
