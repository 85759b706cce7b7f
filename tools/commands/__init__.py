"""The commands of `quintet`, one module each: their options, output and exit status."""
