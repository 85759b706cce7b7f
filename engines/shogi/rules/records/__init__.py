"""Game records of shogi: KIF, KI2, CSA and USI."""
