"""Reductions: a problem is split into smaller ones, which another method solves."""
