# Counting Go games that are over: area, dead stones, komi. Chinese rules.
#
# How it was made: walls and eyes whose owners are beyond doubt; counted by a program of its own from the picture, the dead stones named.
# GNU Go 3.8 counts all of them the same, but calls the draw half a point for White: quintet regress go-scoring.tst --engine "gnugo --mode gtp --chinese-rules".

# five lines, two walls
boardsize 5
clear_board
komi 0.5
play b C5
play w D5
play b C4
play w D4
play b C3
play w D3
play b C2
play w D2
play b C1
play w D1
play b pass
play w pass
10 final_score
#? [B[+]4[.]5([.]0)?]

# half a point for White
boardsize 7
clear_board
komi 7.5
play b D7
play w E7
play b D6
play w E6
play b D5
play w E5
play b D4
play w E4
play b D3
play w E3
play b D2
play w E2
play b D1
play w E1
play b pass
play w pass
20 final_score
#? [W[+]0[.]5([.]0)?]

# a draw
boardsize 7
clear_board
komi 7
play b D7
play w E7
play b D6
play w E6
play b D5
play w E5
play b D4
play w E4
play b D3
play w E3
play b D2
play w E2
play b D1
play w E1
play b pass
play w pass
30 final_score
#? [0([.]0)?]

# a dead stone of Black's changes nothing in area
boardsize 7
clear_board
komi 7.5
play b D7
play w E7
play b D6
play w E6
play b D5
play w E5
play b D4
play w E4
play b G4
play b D3
play w E3
play b D2
play w E2
play b D1
play w E1
play b pass
play w pass
40 final_score
#? [W[+]0[.]5([.]0)?]

# two dead stones of White's
boardsize 7
clear_board
komi 0.5
play b D7
play w E7
play b D6
play w E6
play w A5
play b D5
play w E5
play w A4
play b D4
play w E4
play b D3
play w E3
play b D2
play w E2
play b D1
play w E1
play b pass
play w pass
50 final_score
#? [B[+]6[.]5([.]0)?]

# nine lines
boardsize 9
clear_board
komi 7.5
play b E9
play w F9
play b E8
play w F8
play b E7
play w F7
play b E6
play w F6
play b E5
play w F5
play b E4
play w F4
play b E3
play w F3
play b E2
play w F2
play b E1
play w F1
play b pass
play w pass
60 final_score
#? [B[+]1[.]5([.]0)?]

# a dead stone on the edge
boardsize 9
clear_board
komi 0
play b F9
play w G9
play b F8
play w G8
play b F7
play w G7
play b F6
play w G6
play b F5
play w G5
play b J5
play b F4
play w G4
play b F3
play w G3
play b F2
play w G2
play b F1
play w G1
play b pass
play w pass
70 final_score
#? [B[+]27([.]0)?]

# a dead stone in a narrow place
boardsize 7
clear_board
komi 5.5
play b E7
play w F7
play b E6
play w F6
play b E5
play w F5
play b E4
play w F4
play b G4
play b E3
play w F3
play b E2
play w F2
play b E1
play w F1
play b pass
play w pass
80 final_score
#? [B[+]15[.]5([.]0)?]

# a komi for Black
boardsize 9
clear_board
komi -3.5
play b F9
play w G9
play b F8
play w G8
play b F7
play w G7
play b F6
play w G6
play b F5
play w G5
play b F4
play w G4
play b F3
play w G3
play b F2
play w G2
play b F1
play w G1
play b pass
play w pass
90 final_score
#? [B[+]30[.]5([.]0)?]

# small eyes on both sides
boardsize 5
clear_board
komi 0.5
play b B5
play w C5
play w E5
play b B4
play w C4
play w D4
play b A3
play b B3
play b C3
play w D3
play w E3
play b B2
play b D2
play w E2
play b A1
play b B1
play b C1
play b D1
play w E1
play b pass
play w pass
100 final_score
#? [B[+]4[.]5([.]0)?]

# White lives in a corner with two eyes
boardsize 5
clear_board
komi 3.5
play w B5
play w D5
play b E5
play w A4
play w B4
play w C4
play w D4
play b E4
play b A3
play b B3
play b C3
play b D3
play b E3
play b A2
play b B2
play b D2
play b A1
play b C1
play b D1
play b E1
play b pass
play w pass
110 final_score
#? [B[+]5[.]5([.]0)?]
