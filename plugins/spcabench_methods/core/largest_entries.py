"""The entries of largest magnitude of a vector, compiled."""

from __future__ import annotations

from numba import njit

from spcabench_methods.core.arrays import Array, Indices


@njit(cache=True)
def largest(v: Array, heap: Indices) -> None:
    """Fill `heap` with the entries of largest magnitude, the smallest of these first; of tied ones the first stay."""
    k = len(heap)
    for i in range(k):
        heap[i] = i
    for top in range(k // 2 - 1, -1, -1):
        sift(v, heap, top)
    for i in range(k, len(v)):
        if abs(v[i]) > abs(v[heap[0]]):
            heap[0] = i
            sift(v, heap, 0)


@njit(cache=True)
def sift(v: Array, heap: Indices, top: int) -> None:
    """Move the entry at `top` down until those below it are not smaller; of tied ones the last is the smallest."""
    child = 2 * top + 1
    while child < len(heap):
        if child + 1 < len(heap) and smaller(v, heap[child + 1], heap[child]):
            child += 1
        if not smaller(v, heap[child], heap[top]):
            break
        heap[top], heap[child] = heap[child], heap[top]
        top, child = child, 2 * child + 1


@njit(cache=True)
def smaller(v: Array, i: int, j: int) -> bool:
    """Return whether entry i goes before entry j."""
    return abs(v[i]) < abs(v[j]) or (abs(v[i]) == abs(v[j]) and i > j)
