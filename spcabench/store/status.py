"""What can become of a cell."""

FINISHED = ("ok", "not_converged")
"""Statuses with loadings and metrics."""

FAILED = ("invalid", "error", "timeout", "out_of_memory", "crashed")
"""Statuses of a fit that went wrong; any of them makes the exit code 1."""

STATUSES = (*FINISHED, "skipped", "unavailable", *FAILED, "interrupted")
