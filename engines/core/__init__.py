"""What two or more games share: contracts, clocks, records."""
