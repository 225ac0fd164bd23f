"""What holds of every built-in data set."""

import importlib
import pkgutil

import pytest
import spcabench_datasets
from spcabench_datasets.collection import TABLES

from spcabench import DatasetSpec
from spcabench.check.subjects import Subject
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
def test_what_is_drawn_keeps_the_promises_of_all_data_sets(name):
    """Those that are here: nightly tests of the checks try all."""
    findings = list(Subject("data set", SPECS[name], "spcabench_datasets").findings())
    assert "draw" in {finding.promise for finding in findings if finding.verdict == "kept"}
    assert [finding.reason for finding in findings if finding.verdict == "broken"] == []
