"""Where the user's programs keep what they can make again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def user_cache(environment: Mapping[str, str]) -> Path:
    """Return the folder of the user's caches."""
    named = environment.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):  # the standard ignores a relative path
        return Path(named)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
