"""Every registered method of the package, as the pages of its families declare it."""

from __future__ import annotations

import importlib
import pkgutil

import spcabench_methods


def registered():
    """Return estimators by the names under which suites know them; what can be drawn is."""
    methods = {}
    for page in pkgutil.iter_modules(spcabench_methods.__path__):
        module = importlib.import_module(f"spcabench_methods.{page.name}")
        for spec in getattr(module, "spcabench_methods", list)():
            home, name = spec.estimator.split(":")
            if home.startswith("spcabench_methods."):
                estimator = getattr(importlib.import_module(home), name)(**spec.params)
                seeded = {"random_state": 0} if "random_state" in estimator.get_params() else {}
                methods[spec.name] = estimator.set_params(**seeded)
    return methods
