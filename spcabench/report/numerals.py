"""Numbers as a reader wants them."""

from __future__ import annotations

import math
import re

from spcabench.report.groups import Spread

NOTHING = "—"

UNITS = ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms"), (120.0, 1.0, "s"), (7200.0, 1 / 60, "min"), (math.inf, 1 / 3600, "h"))


def number(value: float) -> str:
    """Write a number with four significant digits.

    Examples
    --------
    >>> [number(value) for value in (905.0617, 0.87, 400.0, 123456.7, 1.2e-7)]
    ['905.1', '0.8700', '400', '123457', '1.200e-07']
    """
    return with_sd(value, math.nan)


def with_sd(mean: float, sd: float) -> str:
    """Write a mean with four significant digits, and its standard deviation to the same place.

    Examples
    --------
    >>> with_sd(905.0617, 2.34), with_sd(0.87, 0.0), with_sd(400.0, 0.0)
    ('905.1 ± 2.3', '0.8700 ± 0.0000', '400 ± 0')
    """
    if math.isnan(mean):
        return NOTHING
    parts = [mean] if math.isnan(sd) else [mean, sd]
    return " ± ".join(format(part, _style(parts)) for part in parts)


def without_sd(text: str) -> str:
    """Leave the standard deviation out of a written measurement.

    Examples
    --------
    >>> without_sd("905.1 ± 2.3"), without_sd("2.260 ± 0.100 s"), without_sd("400")
    ('905.1', '2.260 s', '400')
    """
    return re.sub(r" ± \S+", "", text)


def _style(parts: list[float]) -> str:
    largest = max(map(abs, parts))
    if math.isinf(largest) or (largest < 1e7 and all(float(part).is_integer() for part in parts)):
        return ".0f"
    magnitude = math.floor(math.log10(largest))
    if not -4 <= magnitude < 7:
        return ".3e"
    return f".{max(0, 3 - magnitude)}f"


def duration(seconds: float, sd: float = math.nan) -> str:
    """Write a time, and its standard deviation, in the unit that suits it.

    Examples
    --------
    >>> duration(0.00123), duration(2.26, 0.1), duration(561.23)
    ('1.230 ms', '2.260 ± 0.100 s', '9.354 min')
    """
    if math.isnan(seconds):
        return NOTHING
    if seconds == 0:
        return "0"
    factor, unit = next((factor, unit) for limit, factor, unit in UNITS if seconds < limit)
    return f"{with_sd(seconds * factor, sd * factor)} {unit}"


def measured(column: str, spread: Spread) -> str:
    """Write what was measured: a time if the column holds one, else a number."""
    write = duration if column.endswith("_time") else with_sd
    return write(spread.mean, spread.sd)
