"""A program that fits an estimator: what `spcabench.program.ProgramMethod` runs in an environment of a method's own.

It needs numpy and what the estimator needs, and nothing of spcabench.
"""

from __future__ import annotations

import ast
import importlib
import os
import platform
import sys
import time
from collections.abc import Sequence
from importlib.metadata import distributions
from typing import Any


def main(target: str, folder: str, words: Sequence[str]) -> None:
    """Fit ``"module:Class"`` to the samples in a folder, with parameters as ``name=value``."""
    module, _, name = target.partition(":")
    try:
        import numpy as np

        estimator = getattr(importlib.import_module(module), name)(**dict(map(_parameter, words)))
    except ImportError as error:
        _write(folder, "lacks", f"in its environment: {error}; add the package to its requirements")
        return
    with open(os.path.join(folder, "X"), "rb") as file:
        n, d = np.fromfile(file, "<f8", 2).astype(int)
        X = np.fromfile(file, "<f8").reshape(d, n).T.copy()
    begun = time.perf_counter(), time.process_time()
    estimator.fit(X)
    wall, cpu = time.perf_counter() - begun[0], time.process_time() - begun[1]
    loadings = np.asarray(estimator.components_, dtype="<f8").T
    with open(os.path.join(folder, "loadings"), "wb") as file:
        np.array(loadings.shape, dtype="<f8").tofile(file)
        loadings.T.tofile(file)
    installed = sorted(f"{one.metadata['Name']} {one.version}" for one in distributions())
    _write(folder, "seconds", f"{wall!r} {cpu!r}")
    _write(folder, "version", ", ".join([f"Python {platform.python_version()}", *installed]))


def _parameter(word: str) -> tuple[str, Any]:
    """Return the name and the value of a parameter: a number or several, or else text."""
    name, _, text = word.partition("=")
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return name, text
    return name, list(value) if isinstance(value, tuple) else value


def _write(folder: str, name: str, text: str) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
