"""What holds of every built-in data set."""

import importlib
import pkgutil
import subprocess
import sys

import numpy as np
import pytest
import spcabench_datasets
from spcabench_datasets.collection import TABLES

from spcabench import DatasetSpec
from spcabench.specs import FACTS

MODULES = [
    importlib.import_module(f"spcabench_datasets.{found.name}")
    for found in pkgutil.iter_modules(spcabench_datasets.__path__)
    if not found.name.startswith("_")
]
SPECS = {spec.name: spec for module in MODULES for spec in module.spcabench_datasets()}
OFFLINE = (
    *("digits", "toy_outlier", "hastie", "hastie_exact", "pitprops", "spiked", "gaussian"),
    *("wine", "breast_cancer", "spiked_general", "block_model", "word_counts"),
)
REAL = ("mnist", "natural_images", *(set(TABLES) - {"wine", "breast_cancer"}))


def load(name, seed=0, **given):
    spec = SPECS[name]
    module, function = spec.load.split(":")
    params = {key: parameter.default for key, parameter in spec.parameters.items()} | given
    for key, value in given.items():
        assert spec.parameters[key].valid.accepts(value), (key, value)
    return getattr(importlib.import_module(module), function)(np.random.default_rng(seed), **params)


def test_every_module_provides_data_sets():
    assert set(SPECS) == {*OFFLINE, *REAL, "file", "covariance_file"}
    assert all(isinstance(spec, DatasetSpec) for spec in SPECS.values())


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_specification_is_complete(spec):
    assert spec.title
    assert spec.source
    assert spec.provides <= set(FACTS)
    for name, parameter in spec.parameters.items():
        assert parameter.meaning, name
        assert parameter.valid.accepts(parameter.default), name


@pytest.mark.parametrize("name", OFFLINE)
def test_data_is_well_formed_and_provides_no_more_than_announced(name):
    dataset = load(name)
    assert (dataset.X is None) != (dataset.covariance is None)
    matrix = dataset.X if dataset.X is not None else dataset.covariance
    assert matrix.dtype == np.float64
    assert np.isfinite(matrix).all()
    assert dataset.facts <= SPECS[name].provides
    assert dataset.supports is None or dataset.supports.shape[1] == dataset.n_features
    assert not dataset.feature_names or len(dataset.feature_names) == dataset.n_features


@pytest.mark.parametrize("name", OFFLINE)
def test_the_seed_decides(name):
    same, again, other = load(name, 1), load(name, 1), load(name, 2)
    first, second, third = (d.X if d.X is not None else d.covariance for d in (same, again, other))
    np.testing.assert_array_equal(first, second)
    if not SPECS[name].varies({}):
        np.testing.assert_array_equal(first, third)
    elif name != "digits":  # random in contamination, or in what is held out, alone
        assert not np.array_equal(first, third)


def test_specifications_are_read_without_heavy_imports():
    names = ", ".join(module.__name__ for module in MODULES)
    calls = "; ".join(f"{module.__name__}.spcabench_datasets()" for module in MODULES)
    heavy = ("scipy", "sklearn", "pandas", "numba")
    code = f"import sys, {names}; {calls}; sys.exit(any(name in sys.modules for name in {heavy}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
