"""The entries of largest magnitude of a vector, compiled."""

from __future__ import annotations

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit


@njit(cache=True)
def largest(v: Array, heap: Indices) -> None:
    """Fill `heap` with the entries of largest magnitude, the smallest of these first; of tied ones the first stay."""
    k = len(heap)
    for i in range(k):
        heap[i] = i
    for step in range(-(k // 2), len(v) - k):  # a negative one puts an entry of the upper half in its place
        top = 0
        if step < 0:
            top = -1 - step
        elif abs(v[k + step]) > abs(v[heap[0]]):
            heap[0] = k + step
        else:
            continue
        child = 2 * top + 1
        while child < k:
            if child + 1 < k and smaller(v, heap[child + 1], heap[child]):
                child += 1
            if not smaller(v, heap[child], heap[top]):
                break
            heap[top], heap[child] = heap[child], heap[top]
            top, child = child, 2 * child + 1


@njit(cache=True)
def smaller(v: Array, i: int, j: int) -> bool:
    """Return whether entry i goes before entry j."""
    return abs(v[i]) < abs(v[j]) or (abs(v[i]) == abs(v[j]) and i > j)
