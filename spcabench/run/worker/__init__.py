"""What happens in a worker: one task, from its message to its result."""
