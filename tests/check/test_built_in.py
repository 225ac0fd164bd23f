"""All that is built in keeps its promises, but for those that its specification exempts.

What programs of others promise is not ours to keep.
"""

import pytest

from spcabench.check.subjects import Subject
from spcabench.plugins import load_registry
from spcabench.specs import FACTS

REGISTRY = load_registry()
SUBJECTS = [
    Subject(catalogue.kind, spec, catalogue.origins[name])
    for catalogue in (REGISTRY.methods, REGISTRY.datasets, REGISTRY.metrics)
    for name, spec in catalogue.specs.items()
    if not catalogue.origins[name].startswith("spcabench_peers.")
]
DECLARED = ("resolves", "constructor", "parameters")
ELSEWHERE = ("file", "covariance_file")
"""Data sets that have no data of their own."""
OURS = ("spcabench.", "spcabench_methods.", "spcabench_datasets.")
NEITHER = (
    *("objective", "time_to", "loading", "upper_bound", "component_value", "component_bound", "bound_kind"),
    *("path_l1", "path_line", "path_rise"),
)
"""Metrics of which neither direction is good."""


def when(subject):
    """Return when a subject is tried: at each push a data set that needs neither a folder of data nor the network."""
    if subject.kind == "method":
        return pytest.mark.weekly
    spec = subject.spec
    here = subject.kind == "data set" and not (spec.place or spec.fetches or spec.name in ELSEWHERE)
    return () if here else pytest.mark.nightly


@pytest.mark.parametrize("subject", [pytest.param(s, id=f"{s.kind}-{s.spec.name}", marks=when(s)) for s in SUBJECTS])
def test_promises_are_kept(subject):
    findings = list(subject.findings())
    assert {f.promise for f in findings} == subject.promises.keys()
    assert [f"{f.promise}: {f.reason}\n{f.example}" for f in findings if f.verdict == "broken"] == []


def test_declarations_hold_and_exemptions_have_reasons():
    for subject in SUBJECTS:
        for promise in DECLARED:
            assert promise not in subject.promises or subject.tried(promise).verdict == "kept", subject.spec.name
        assert subject.spec.exempt.keys() <= subject.promises.keys(), subject.spec.name
        assert all(len(reason.split()) > 3 for reason in subject.spec.exempt.values()), subject.spec.name


@pytest.mark.parametrize("subject", [s for s in SUBJECTS if s.origin.startswith(OURS)], ids=lambda s: s.spec.name)
def test_what_is_ours_says_what_it_is_and_where_it_is_from(subject):
    spec = subject.spec
    assert spec.title
    assert spec.reference if subject.kind == "method" else spec.source
    if subject.kind == "metric":
        assert spec.formula
        assert (spec.better == "neither") is (spec.name in NEITHER)
    if subject.kind == "data set":
        assert spec.provides <= set(FACTS)
        assert all(parameter.meaning for parameter in spec.parameters.values())
