"""Faults that were planted: each is found, and the example that is shown for it fails when it is run."""

import pytest

from spcabench import CARDINALITY, DatasetSpec, Knob, MethodSpec, MetricSpec, Parameter, Whole
from spcabench.check.script import apart
from spcabench.check.subjects import Subject

SAMPLES = frozenset({"samples"})


def method(name, **changes):
    given = {"knob": CARDINALITY, "requires": SAMPLES, **changes}
    return Subject("method", MethodSpec(name="planted", estimator=f"planted_methods:{name}", **given), "here")


def dataset(name, **changes):
    given = {"parameters": {"n": Parameter(20, Whole(1))}, **changes}
    return Subject("data set", DatasetSpec(name="planted", load=f"planted_data:{name}", **given), "here")


def covariance(name):
    return dataset(name, parameters={}, provides=frozenset(), random=False)


def metric(name, **changes):
    given = {"range": (0.0, 1.0), **changes}
    return Subject("metric", MetricSpec(name="planted", compute=f"planted_data:{name}", **given), "here")


SOUND = {
    "method": method("Sound", starts="init"),
    "data set": dataset("sound", n_features=3),
    "metric": metric("share"),
}

PLANTED = [
    (method("Missing"), "resolves"),
    (method("NoFit"), "resolves"),
    (method("OtherKnob"), "constructor"),
    (method("Sound", parameters={"n_nonzero": Parameter(3, Whole(1))}), "constructor"),
    (method("Sound", parameters={"n_nonzero": Parameter(1, Whole(2))}), "constructor"),
    (method("Transposed"), "shape"),
    (method("Listed"), "shape"),
    (method("NotFinite"), "finite"),
    (method("NotUnit"), "unit_rows"),
    (method("Unseeded"), "deterministic"),
    (method("InPlace"), "samples_untouched"),
    (method("SeedsAll"), "global_state"),
    (method("Unpicklable"), "pickle"),
    (method("OneSided"), "sign"),
    (method("Upright"), "column_sign"),
    (method("NotCentred"), "shift"),
    (method("FirstSamples"), "row_order"),
    (method("FirstFeatures"), "column_order"),
    (method("Absolute"), "scale"),
    (method("OneTooMany"), "knob"),
    (method("NeverAll"), "knob"),
    (method("Penalised", knob=Knob("penalty", "alpha")), "knob"),
    (method("OneStep"), "dense_limit"),
    (method("Smallest"), "planted_support"),
    (method("Careless"), "bad_input"),
    (method("Sound", requires=frozenset()), "covariance"),
    (method("OtherScale", requires=frozenset()), "covariance"),
    (method("OneStart", starts="init"), "starts"),
    (dataset("missing"), "resolves"),
    (dataset("sound", parameters={"m": Parameter(3, Whole(1))}), "parameters"),
    (dataset("needs_more"), "parameters"),
    (dataset("not_finite"), "draw"),
    (dataset("bare"), "draw"),
    (dataset("unseeded"), "deterministic"),
    (dataset("constant"), "seed"),
    (dataset("sound", random=False), "seed"),
    (dataset("from_global"), "global_state"),
    (dataset("labelled"), "facts"),
    (dataset("sound", provides=frozenset({"samples", "labels"})), "provides"),
    (dataset("sound", n_features=4), "n_features"),
    (dataset("short_labels", provides=frozenset({"samples", "labels"})), "agreement"),
    (dataset("wide_supports", provides=frozenset({"samples", "supports"})), "agreement"),
    (covariance("lopsided"), "covariance"),
    (covariance("indefinite"), "covariance"),
    (metric("missing"), "resolves"),
    (metric("share", parameters={"k": Parameter(3, Whole(1))}), "parameters"),
    (metric("verdict"), "number"),
    (metric("percent"), "range"),
    (metric("drawn"), "deterministic"),
    (metric("scaled"), "inputs_untouched"),
    (metric("global_drawn"), "global_state"),
    (metric("signed"), "sign"),
    (metric("lengths"), "zero_components"),
    (metric("classes"), "requires"),
    (metric("largest"), "refitted"),
]


@pytest.mark.parametrize("kind", SOUND)
def test_what_is_sound_keeps_all_promises(kind):
    subject = SOUND[kind]
    verdicts = {finding.promise: finding.verdict for finding in subject.findings()}
    assert verdicts.keys() == subject.promises.keys()
    assert set(verdicts.values()) <= {"kept", "no matter"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("subject", "promise"), PLANTED, ids=[f"{i}-{p}" for i, (_, p) in enumerate(PLANTED)])
def test_a_planted_fault_is_found_and_its_example_fails_by_itself(subject, promise):
    with apart():
        finding = subject.tried(promise)
        assert finding.verdict == "broken"
        assert finding.reason
        with pytest.raises(Exception) as failed:  # noqa: PT011
            exec(finding.example, {"__name__": "__main__"})
    assert not isinstance(failed.value, NameError)


@pytest.mark.parametrize(
    ("subject", "broken", "tried"),
    [
        (method("Transposed"), "shape", []),
        (method("NotFinite"), "finite", []),
        (method("Unseeded"), "deterministic", ["unit_rows", "pickle", "bad_input"]),
        (dataset("unseeded"), "deterministic", ["facts", "agreement"]),
    ],
)
def test_after_a_promise_that_others_need_these_are_not_tried(subject, broken, tried):
    """So that one fault of the method is one fault that is shown."""
    found = {finding.promise: finding for finding in subject.findings()}
    assert [name for name, one in found.items() if one.verdict == "broken"] == [broken]
    assert {one.reason for one in found.values() if one.verdict == "not tried"} == {f"it needs '{broken}'"}
    assert all(found[name].verdict == "kept" for name in tried)
    assert tried or [*found][-1] == next(one.promise for one in reversed(found.values()) if one.verdict == "not tried")


def test_each_promise_has_a_planted_fault():
    for kind, subject in SOUND.items():
        assert {promise for other, promise in PLANTED if other.kind == kind} == subject.promises.keys()


def test_each_promise_is_one_sentence():
    for subject in SOUND.values():
        for sentence in subject.promises.values():
            assert sentence[0].isupper(), sentence
            assert sentence.index(".") == len(sentence) - 1, sentence
