"""YAML -> a validated suite -> a plan; pure, no I/O beyond reading."""
