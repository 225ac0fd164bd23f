"""Seeds: the same draw for every method, another stream for every solver; never the knob, threads or repeat."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def data_rng(name: str, params: Mapping[str, Any], seed: int) -> np.random.Generator:
    """Return the generator of a data set draw: over its name, parameters and seed.

    The parameter ``path`` counts as not given, so that a file has the same draws wherever it lies.
    """
    params = {name: None if name == "path" else value for name, value in params.items()}
    return np.random.default_rng(np.random.SeedSequence([seed, *_words([name, params])]))


def solver_seed(name: str, params: Mapping[str, Any], draw: str, seed: int) -> int:
    """Return the ``random_state`` of a solver, below 2**31: over the method, its parameters, the draw, the seed."""
    sequence = np.random.SeedSequence([seed, *_words([name, params, draw])])
    return int(sequence.generate_state(1, np.uint32)[0] >> 1)


def _words(value: Any) -> list[int]:
    digest = hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).digest()
    return [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)]
