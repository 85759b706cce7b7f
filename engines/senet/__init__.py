"""Senet: rules, dice, search, tables and the program of the line protocol.

As a library, the rules with the history of a game; a throw of the dice is played like a move:

>>> from engines.core.game import Game
>>> from engines.senet.rules.text import make_rules
>>> game = Game(make_rules())  # Or make_rules("pass,over").
>>> throw, move = game.play("5"), game.play("10-16")
>>> print(game.rules.diagram(game.position))
 1  O  X  O  X  O  X  O  X  O  .  10
20  .  .  .  .  X  .  .  .  .  .  11
21  .  .  .  .  .  .  T  .  .  .  30
black (X) throws
>>> throw = game.play("1")
>>> game.play("9-15")
Traceback (most recent call last):
engines.core.game.IllegalMove: illegal move 9-15: black has no man on 9
>>> game.texts()
['5', '10-16', '1']

The throws of a seed, which are the same on all machines:

>>> from engines.senet.rules.dice import Dice
>>> dice = Dice(42)
>>> [dice.throw() for _ in range(5)]
[4, 2, 4, 5, 1]

The exact chance of winning of the side that throws next, with one man against one:

>>> from engines.senet.tables.shipped import chances
>>> round(chances(1).chance(own=1 << 7, enemy=1 << 2), 4)
0.6379

A player that chooses moves, here one throw ahead:

>>> from engines.core.search import Limits
>>> from engines.senet.play.levels import make_searcher
>>> player = make_searcher("10", seed=1)
>>> move = player.search(game, Limits(depth=1), stop=lambda: False, report=lambda report: None)
>>> move in game.position.legal_moves()
True
"""
