"""Neutron: rules, search, levels."""
