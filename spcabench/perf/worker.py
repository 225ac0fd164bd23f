"""The program that fits in the environment of one commit, and answers `spcabench.perf`, a line of JSON each.

It stands alone: the commit that it measures may be older than this file.  ``python worker.py CASES DUMPS`` starts it,
with the file of the cases, and the folder of callgrind's dumps.
"""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import json
import mmap
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import bit_generator

WARM = 3
"""Fits before any that is measured."""
DUMP, ZERO, START = (0x43540000 + number for number in (0, 1, 4))
"""The requests of callgrind.h."""


class Callgrind:
    """Instructions as callgrind counts them: this process runs under it, and asks for a dump around each call."""

    CODE = bytes.fromhex("4889fa4889f0 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")
    """A client request of valgrind.h for x86-64, as a function of a default and of the request with its arguments."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self._memory.write(self.CODE)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._ask(START)

    def _ask(self, request: int) -> None:
        words = (ctypes.c_uint64 * 6)(request)
        ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)(self._address)(0, ctypes.addressof(words))

    def count(self, call: Callable[[], None]) -> int:
        """Return how many instructions a call takes."""
        for old in self._folder.iterdir():
            old.unlink()
        self._ask(ZERO)
        call()
        self._ask(DUMP)
        (dump,) = self._folder.glob("*.[0-9]*")  # the one without a number is of the fork
        total = next(line for line in dump.read_text(encoding="utf-8").splitlines() if line.startswith("totals:"))
        return int(total.split()[1])


class Fits:
    """The fits of the cases."""

    def __init__(self, cases: dict[str, Any], dumps: Path) -> None:
        self._cases = cases
        self._dumps = dumps
        self._problem = cache(self._prepared)

    def _prepared(self, case: str) -> tuple[Any, Any]:
        method, X = self._cases[case].prepare()
        for _ in range(WARM):
            method.fit(X)
        return method, X

    def _repeat(self, case: str, fits: int) -> Callable[[], None]:
        method, X = self._problem(case)

        def call() -> None:
            for _ in range(fits):
                method.fit(X)

        gc.collect()
        return call

    def cases(self) -> dict[str, dict[str, Any]]:
        """Return what the cases are."""
        about = ("solver", "size", "quick")
        return {name: {word: getattr(case, word) for word in about} for name, case in self._cases.items()}

    def warm(self, case: str) -> dict[str, Any]:
        """Fit, so that kernels are compiled; return how long that takes once they are, and how good the fit is."""
        return {"seconds": [self.time(case, 1)], **quality(*self._problem(case))}

    def time(self, case: str, fits: int) -> float:
        """Return the processor seconds of a fit, the mean of so many."""
        call = self._repeat(case, fits)
        start = time.process_time()
        call()
        return (time.process_time() - start) / fits

    def count(self, case: str, fits: int) -> float:
        """Return the instructions of a fit, the mean of so many, less what counting itself takes.

        A child counts: no case sees what another left in memory, and this process stays fast under callgrind.
        """
        call, nothing = self._repeat(case, fits), self._repeat(case, 0)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                counter = Callgrind(self._dumps)
                os.write(writing, str(counter.count(call) - counter.count(nothing)).encode())
            except BaseException:
                traceback.print_exc()
            os._exit(0)
        os.close(writing)
        with open(reading, encoding="utf-8") as answer:
            text = answer.read()
        os.waitpid(child, 0)
        if not text:
            raise RuntimeError("the child that counts failed; standard error says why")
        return int(text) / fits


def quality(method: Any, X: Any) -> dict[str, Any]:
    """Return the share of variance in the span of the loadings, the number of nonzeros, and the iterations."""
    W = np.asarray(method.components_, dtype=np.float64)
    kept = X - X.mean(axis=0)
    rows = W[np.any(W != 0.0, axis=1)]
    basis = np.linalg.svd(rows, full_matrices=False)
    basis_rows = basis[2][basis[1] > 1e-10 * basis[1][:1].max(initial=0.0)]
    variance = float(((kept @ basis_rows.T) ** 2).sum() / (kept**2).sum())
    return {
        "variance": variance,
        "nonzeros": int(np.count_nonzero(W)),
        "iterations": int(getattr(method, "n_iter_", 0)),
    }


def fix_entropy() -> None:
    """Let numpy draw the same bits wherever no seed is given.

    A `RandomState` is seeded with such bits before it takes the seed that it was asked for.  How many instructions that
    takes depends on the bits: they are passed as Python's integers, which are longer above 2^30.
    """
    setattr(bit_generator, "randbits", lambda bits: (1 << bits) - 1)  # noqa: B010


def main(path: str, dumps: str) -> None:
    """Load the cases, and answer each line until there is none; what is printed meanwhile goes to standard error."""
    fix_entropy()
    spec = importlib.util.spec_from_file_location("spcabench_perf_cases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    warnings.simplefilter("ignore")
    gc.disable()
    fits = Fits(module.CASES, Path(dumps))
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        words = json.loads(line)
        try:
            reply = {"reply": getattr(fits, words.pop("do"))(**words)}
        except Exception as error:  # whatever a solver raises is the answer
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
