"""A child process under deadlines, killed when its parent dies."""
