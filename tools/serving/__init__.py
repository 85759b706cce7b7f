"""A small server for pages of this machine's user: loopback only, with a token."""
