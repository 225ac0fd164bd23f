"""Runs made into a static leaderboard: numbers, pages, files."""
