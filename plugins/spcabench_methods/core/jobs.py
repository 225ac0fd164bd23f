"""Work whose parts do not depend on one another, in threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from threadpoolctl import ThreadpoolController

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.moments import SecondMoments

T = TypeVar("T")
R = TypeVar("R")

WAITING = 2
"""So many parts for each thread are drawn before the first of them has ended."""


def each(work: Callable[[T], R], parts: Iterable[T], n_jobs: int | None) -> list[R]:
    """Return the results of parts of the work, in their order.

    If there are several, BLAS has one thread meanwhile, whatever `n_jobs`: so there are no more threads than asked for,
    and sums are added in the same order, to the same result.

    Parameters
    ----------
    work : callable
        ``work(part)`` returns a result.  It must change nothing that another part reads.
    parts : iterable
        Drawn one after another, whatever the number of threads.
    n_jobs : int or None
        As in scikit-learn.
    """
    if isinstance(parts, Sequence) and len(parts) == 1:
        return [work(parts[0])]
    from joblib import effective_n_jobs

    with libraries().limit(limits=1, user_api="blas"):
        n_threads = effective_n_jobs(n_jobs)
        if n_threads == 1:
            return [work(part) for part in parts]
        return in_threads(work, parts, n_threads)


def in_threads(work: Callable[[T], R], parts: Iterable[T], n_threads: int) -> list[R]:
    """Return the results of parts of the work, in their order, from so many threads.

    joblib's threads would take 12 ms to begin and to end, as it looks for their results every 10 ms.
    """
    found: list[R] = []
    begun: deque[Future[R]] = deque()
    with ThreadPoolExecutor(n_threads) as threads:
        for part in parts:
            begun.append(threads.submit(work, part))
            if len(begun) == WAITING * n_threads:
                found.append(begun.popleft().result())
        found += [part.result() for part in begun]
    return found


@cache
def libraries() -> ThreadpoolController:
    """Return the libraries of this process that have threads; finding them takes longer than a small fit."""
    return ThreadpoolController()


def at_once(
    find: Callable[[SecondMoments, Array], R], moments: SecondMoments, starts: Sequence[Array], n_jobs: int | None
) -> list[R]:
    """Return ``find(view, start)`` for each start; several have views of their own."""
    views = moments.views(len(starts)) if len(starts) > 1 else [moments]
    return each(lambda pair: find(*pair), [*zip(views, starts, strict=True)], n_jobs)
