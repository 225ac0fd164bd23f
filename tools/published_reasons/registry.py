"""What a reason is: a number of a paper that ours does not reach, and what variants of its computation give."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """One way to compute the number, and what it gives."""

    how: str
    reached: str


@dataclass(frozen=True)
class Reason:
    """A published number and the function that computes variants of it."""

    name: str
    source: str
    what: str
    published: str
    compute: Callable[[], Iterable[Variant]]


REASONS: dict[str, Reason] = {}


def reason(
    name: str, source: str, what: str, published: str
) -> Callable[[Callable[[], Iterable[Variant]]], Callable[[], Iterable[Variant]]]:
    """Register the decorated function as the one that computes the variants."""

    def register(compute: Callable[[], Iterable[Variant]]) -> Callable[[], Iterable[Variant]]:
        REASONS[name] = Reason(name, source, what, published, compute)
        return compute

    return register
