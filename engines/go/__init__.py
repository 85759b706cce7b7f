"""Go: rules, records, network, search and the program `quintet-go`.

As a library, a game on a small board, with every move checked:

>>> from engines.core.game import Game
>>> from engines.go.rules.text import make_rules
>>> rules = make_rules("japanese", 5)  # A rule set and a size; make_rules() is Chinese on 19x19.
>>> game = Game(rules)
>>> moves = [game.play(text) for text in "C3 C4 D4 D3 C2 B3 D2 B4 E3 D5".split()]
>>> print(rules.diagram(game.position))
   A B C D E
 5 . . .(O). 5
 4 . O O X . 4
 3 . O X . X 3
 2 . . X X . 2
 1 . . . . . 1
   A B C D E
black to move, komi 6.5, captured: 0 black, 1 white
>>> game.play("D4")
Traceback (most recent call last):
engines.core.game.IllegalMove: illegal move D4: point is occupied
>>> rules.setup(game.position)  # Game(rules, text) starts from this text.
'3O1/1OOX1/1OX1X/2XX1/5 b komi=6.5 captured=0,1'

Two passes end the game. All stones on the board count as alive, because these rules have no judge
of dead stones; `engines.go.play.judged.make_rules` has one:

>>> moves += [game.play("pass"), game.play("pass")]
>>> game.outcome()
Outcome(winner=1, reason='W+5.5', both=False)
>>> game.position.count(dead={rules.parse_vertex("D4")}).margin  # Negative: White wins.
-6.5

SGF records are read from bytes and written to bytes:

>>> from engines.go.rules.records.sgf import format_game, parse_game
>>> sgf = format_game(rules, game.position)
>>> rules, position = parse_game(sgf)
>>> rules.variant, rules.width, len(position.played)
('japanese', 5, 12)

A search with the network, here of 50 visits by one thread:

>>> from engines.go.play.search import Search
>>> empty = make_rules("", 9).start()
>>> findings = Search(threads=1).think(empty, stop=lambda: False, visits=50)
>>> findings.visits
50
>>> findings.candidates[0].move in empty.legal_moves()
True
"""
