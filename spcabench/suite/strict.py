"""What all models of a suite are made of: a strict model, names, labels and counts."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"
Name = Annotated[str, Field(pattern=NAME_PATTERN, max_length=80)]
Label = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]
Known = Label
"""The name of a plugin's method, data set or metric; the registry says which there are, and which is the nearest."""
MAX_COUNT = 1_000_000
Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]


class Model(BaseModel):
    """A strict model: no coercion, no unknown keys, no change after it is read."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)
