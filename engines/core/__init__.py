"""The modules that several games share: contracts, clocks, records, storage of tables."""
