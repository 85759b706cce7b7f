"""Nine Men's Morris: rules, exact tables, search, and the program `quintet-morris`."""
