"""The speed gate, ``spcabench-perf``: two commits of a repository, fit by fit, by instructions counted and by time."""
