"""All that is built in keeps its promises, but for those that its specification exempts.

What programs of others promise is not ours to keep.
"""

import pytest

from spcabench.check.subjects import Subject
from spcabench.plugins import load_registry

REGISTRY = load_registry()
SUBJECTS = [
    Subject(catalogue.kind, spec, catalogue.origins[name])
    for catalogue in (REGISTRY.methods, REGISTRY.datasets, REGISTRY.metrics)
    for name, spec in catalogue.specs.items()
    if not catalogue.origins[name].startswith("spcabench_peers.")
]
DECLARED = ("resolves", "constructor", "parameters")
WHEN = {"method": pytest.mark.weekly, "data set": pytest.mark.nightly, "metric": pytest.mark.nightly}


@pytest.mark.parametrize(
    "subject", [pytest.param(s, id=f"{s.kind}-{s.spec.name}", marks=WHEN[s.kind]) for s in SUBJECTS]
)
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
