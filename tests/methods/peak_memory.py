"""The memory that a piece of work takes."""

import tracemalloc


def memory(work):
    """Return the bytes that stay while the result of some work does, and the most there were beside what was before."""
    tracemalloc.start()
    try:
        result = work()  # noqa: F841  so that it stays
        return tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
