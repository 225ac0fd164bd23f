"""What is kept of a cell."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FINISHED = ("ok", "not_converged")
"""Statuses with loadings and metrics."""

FAILED = ("invalid", "error", "timeout", "out_of_memory", "crashed")
"""Statuses of a fit that went wrong; any of them makes the exit code 1."""

STATUSES = (*FINISHED, "skipped", "unavailable", *FAILED, "interrupted")


@dataclass(frozen=True, kw_only=True)
class Record:
    """What is kept of a cell: its status, metrics and timings, and everything needed to repeat it.

    Parameters
    ----------
    key : str
        Hash over what determines the result; names the record's files.
    cell : dict
        The cell as planned: data set, method, parameters, sparsity, seed.
    status : str
        One of `STATUSES`.
    reason : str
        Why it is not ``ok``.
    metrics : dict of str to float
        Values by name; nan where undefined.
    scored : dict of str to str
        Which version and parameters of each metric the values come from.
    timing : dict of str to list of float
        Every sample of ``fit_time`` and ``cpu_time`` (seconds), and the ``search_time``, ``n_fits`` and
        ``peak_memory`` (MiB) of the first.
    fit : dict
        Facts about the fit: iterations, objective, cardinalities reached, parameters found, threads, warnings.
    about : dict
        When, with which versions.
    """

    key: str
    cell: dict[str, Any]
    status: str
    reason: str = ""
    metrics: dict[str, float] = field(default_factory=dict)
    scored: dict[str, str] = field(default_factory=dict)
    timing: dict[str, list[float]] = field(default_factory=dict)
    fit: dict[str, Any] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether there are loadings and metrics."""
        return self.status in FINISHED

    def dumps(self) -> str:
        """Write as JSON, a field a line; nan and infinities become null and words, so that any reader can read it."""
        fields = (f'"{name}": {_dumped(value)}' for name, value in vars(self).items())
        return "{\n" + ",\n".join(fields) + "\n}\n"

    @classmethod
    def loads(cls, text: str) -> Record:
        """Read what `dumps` wrote.

        Raises
        ------
        ValueError
            If the text is not a record.
        """
        try:
            fields = json.loads(text)
            record = cls(**fields)
            metrics = {name: _from_json(value) for name, value in record.metrics.items()}
            timing = {name: [_from_json(v) for v in values] for name, values in record.timing.items()}
        except (TypeError, AttributeError) as error:
            raise ValueError(f"not a record: {error}") from error
        return cls(**{**fields, "metrics": metrics, "timing": timing})


def _dumped(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)  # nearly always does, and is ten times as fast
    except (TypeError, ValueError):
        return json.dumps(_to_json(value), allow_nan=False)


def _to_json(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, Mapping):
        return {str(k): _to_json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json(v) for v in value]
    return value


def _from_json(value: Any) -> float:
    return math.nan if value is None else float(value)
