"""A module that takes seconds to import."""

import time

from planted_methods import Sound as Slow  # noqa: F401

time.sleep(8.0)
