"""Have the processor fetch what compiled code will read soon.

It foresees by itself what is read in order.  Rows that are read here and there are each waited for, unless they are
asked for while others are still being worked on.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils as _untyped
from numba.extending import intrinsic
from numpy.typing import NDArray

from spcabench_methods.core.jit import njit

cgutils: Any = _untyped

LINE = 64
"""The bytes that are fetched at once."""

READ, KEEP, DATA = 0, 3, 1
"""What LLVM is told: the entry will be read, it shall stay in all caches, and it is no code."""


def _asked(typing: Any, array: Any, i: Any, j: Any) -> Any:
    """Ask for the bytes at an entry of a matrix; for compiled code alone."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        matrix = context.make_array(array)(context, builder, values[0])
        entry = cgutils.get_item_pointer(context, builder, array, matrix, list(values[1:]))
        place, word = builder.bitcast(entry, cgutils.voidptr_t), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
        asked = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(asked, [place, word(READ), word(KEEP), word(DATA)])
        return context.get_dummy_value()

    return types.void(array, i, j), generate


fetch: Any = intrinsic(_asked)


@njit(cache=True, nogil=True, no_cpython_wrapper=True)
def fetch_row(rows: NDArray[Any], i: int) -> None:
    """Ask for row i of a matrix of bytes."""
    for j in range(0, rows.shape[1], LINE):
        fetch(rows, i, j)
