"""Tournaments: who meets whom, with which results, on this machine or on a cluster."""
