"""Plan -> records: workers, limits, clock, resume.

This package shares its name with the public function ``spcabench.run``.  Called, it is that function:
`spcabench.api.running.run`, which is imported then.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    """A package that may be called like the public function of its name."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function."""
        return _function()(*args, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature of the function, for help and editors."""
        return inspect.signature(_function())


def _function() -> Callable[..., Any]:
    function: Callable[..., Any] = import_module("spcabench.api.running").run
    return function


sys.modules[__name__].__class__ = _CallablePackage
