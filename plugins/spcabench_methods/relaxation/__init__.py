"""Convex relaxations: a matrix replaces the loading, and each result comes with an upper bound."""
