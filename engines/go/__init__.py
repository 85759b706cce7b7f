"""Go: board, rules, network and search of `quintet-go`."""
