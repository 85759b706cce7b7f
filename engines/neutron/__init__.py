"""Neutron: rules, search, tables and the program of the line protocol.

As a library, the rules with the history of a game, and the reason for every illegal move:

>>> from engines.core.game import Game
>>> from engines.neutron.rules.text import make_rules
>>> game = Game(make_rules())  # Or make_rules("kraus").
>>> move = game.play("b1-b4")
>>> print(game.rules.diagram(game.position))
   a b c d e
 5 B B B B B 5
 4 . W . . . 4
 3 . . N . . 3
 2 . . . . . 2
 1 W . W W W 1
   a b c d e
>>> game.play("c3-c2")
Traceback (most recent call last):
engines.core.game.IllegalMove: illegal move c3-c2: a man must move too
>>> game.outcome() is None
True

The shipped book, which knows a winning turn for the side that moves first:

>>> from engines.neutron.tables.book import look_up
>>> start = Game(make_rules())
>>> move, turns = look_up(start.rules, start.position)
>>> start.rules.format(start.position, move), turns  # It wins in at most 19 turns.
('d1-d4', 19)

A player that chooses moves, here within 1000 nodes:

>>> from engines.core.search import Limits
>>> from engines.neutron.play.levels import make_searcher
>>> player = make_searcher("9", seed=1)
>>> move = player.search(game, Limits(nodes=1000), stop=lambda: False, report=lambda report: None)
>>> move in game.position.legal_moves()
True
"""
