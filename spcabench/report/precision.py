"""How many decimals of a number are worth showing."""

from __future__ import annotations

import math

MANY = 7
"""From ten to this power on, and below a ten-thousandth, a number is shown with a power of ten."""


def decimals(*parts: float) -> int | None:
    """Return the decimals of four significant digits of the largest of some numbers.

    Whole numbers have none; None stands for a power of ten with three decimals.

    Examples
    --------
    >>> decimals(905.0617), decimals(0.87), decimals(400.0), decimals(1.2e-7)
    (1, 4, 0, None)
    """
    largest = max(map(abs, parts))
    if math.isinf(largest) or (largest < 10**MANY and all(float(part).is_integer() for part in parts)):
        return 0
    magnitude = math.floor(math.log10(largest))
    return max(0, 3 - magnitude) if -4 <= magnitude < MANY else None
