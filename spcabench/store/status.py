"""What can become of a cell."""

FINISHED = ("ok", "not_converged")
"""Statuses with loadings and metrics."""

FAILED = ("invalid", "error", "timeout", "out_of_memory", "crashed")
"""Statuses of a fit that went wrong; any of them makes the exit code 1."""

PENDING = "pending"
"""What a report calls a cell that was not run yet; no record has it."""

STATUSES = (*FINISHED, "skipped", "unavailable", *FAILED, "interrupted")
