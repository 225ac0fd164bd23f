"""Combinatorial methods: they search for a support, and return the best loading on it."""
