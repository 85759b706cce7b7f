"""Shogi: rules, records, search and the USI program.

As a library, rules with history and every reason:

>>> from engines.core.game import Game
>>> from engines.shogi.rules.text import ShogiRules
>>> game = Game(ShogiRules())  # Game(ShogiRules("24-point"), sfen), or a handicap such as "two"
>>> len(game.position.legal_moves())
30
>>> moves = [game.play(text) for text in "7g7f 3c3d 8h2b+".split()]
>>> game.rules.setup(game.position)
'lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4'
>>> game.play("5a5b+")
Traceback (most recent call last):
engines.core.game.IllegalMove: illegal move 5a5b+: the man cannot promote here
>>> game.outcome() is None  # Else who won and how: mate, repetition, perpetual check, declaration.
True

Records, which are read from bytes or text and written to bytes; `ki2` reads, `csa` does both:

>>> from engines.shogi.rules.records.kif import read_kif, write_kif
>>> from engines.shogi.rules.records.record import Record
>>> kif = write_kif(Record.from_usi("position startpos moves " + " ".join(game.texts())))
>>> read_kif(kif).moves()
['7g7f', '3c3d', '8h2b+']

Positions that break the rules as problems do, and mates:

>>> from engines.shogi.play.mate.search import Solver
>>> from engines.shogi.rules.notation import format_move
>>> from engines.shogi.rules.sfen import parse_sfen
>>> problem = parse_sfen("5n1k1/5G3/9/6+R2/9/9/9/9/9 b 2NPg 1", tolerate="rule")
>>> line, refuted = Solver(1).solve(problem, stop=lambda: False)
>>> [format_move(move) for move in line]
['3d3b', '2a1a', 'N*2c']
"""
