"""Plan -> records: workers, limits, clock, resume."""
