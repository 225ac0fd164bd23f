"""Suites by name, and values that are set by an option."""

import pytest
import yaml

from spcabench.suite.load import load_suite
from spcabench.wording import InputError


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf", "1.0e+400"])
def test_numbers_are_finite(faults, sound, value):
    text = yaml.safe_dump(sound) + f"limits: {{time: {value}}}\npublished:\n- source: x\n  rows: [{{method: pca, "
    found = faults(text + f"metrics: {{cpev: {value}}}}}]\n")
    assert [f.rpartition("; ")[2] for f in found] == ["valid is a finite number"] * 2


def test_more_data_sets_than_a_suite_may_have_are_refused_before_they_are_made(faults):
    found = faults(datasets=[{"name": "spiked", "params": {"n": {"from": 2, "to": to}}} for to in (4000, 9000)])
    (fault,) = [fault for fault in found if "up to here" in fault]
    assert fault.endswith("data sets: 12998 up to here; valid is up to 10000")
    (twice,) = faults(datasets=[{"name": "spiked", "params": {"n": {"from": 2, "to": 4000}}}] * 2)
    assert twice.endswith("the data set 'spiked(n=2)' occurs twice; choose distinct labels by 'label'")


def test_suites_by_name_and_path(place, registry, sound):
    with pytest.raises(InputError, match=r"^pitprop: no such suite file, .* \(did you mean 'pitprops'\?\)$"):
        load_suite("pitprop", registry)
    with pytest.raises(InputError, match="a folder, where a suite file is wanted"):
        load_suite(".", registry)
    (place / "suites").mkdir()
    (place / "suites" / "pitprops.yaml").write_text(yaml.safe_dump({**sound, "name": "mine"}))
    assert load_suite("pitprops", registry).suite.name == "mine", "a suite of the folder here comes first"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("n_components", "valid is NAME=VALUE, such as n_components=10 or limits.time=60"),
        ("=3", "'' is not a dotted path, such as limits.time or methods.0.params.p"),
        ("limits.time=x", "limits.time is 'x'; valid is a number"),
        ("limits.tme=3", "unknown key 'tme' in 'limits'; valid are draw, memory, score, time (did you mean 'time'?)"),
        ("name.x=3", "'name' is neither a mapping nor a list of the suite"),
        (
            "methods.tpowr.params.tol=1",
            "'tpowr' is no entry of 'methods'; valid is an index below 2, or a label that occurs once (did you mean ",
        ),
        ("methods.+=tpowr", "unknown method 'tpowr'"),
        ("methods.+.name=pca", "'+' is no entry of 'methods'; valid is an index below 2"),
        ("n_nonzero.-1=3", "'-1' is no entry of 'n_nonzero'; valid is an index below 1"),
        ("n_components=", "n_components is null; valid is a whole number"),
        ("seeds=!!python/name:os.system", "the tag 'tag:yaml.org,2002:python/name:os.system' is not supported"),
        ("seeds=[", "not YAML: did not find expected node content"),
    ],
)
def test_bad_overrides(faults, setting, message):
    (fault,) = faults(settings=[setting])
    assert fault.startswith(f"--set {setting}: {message}")


def test_bad_overrides_are_reported_at_once_and_beside_the_file(faults):
    found = faults(settings=["a", "n_components=x", "seeds=["], repeats=0)
    assert [f.partition(": ")[0] for f in found[:2]] == ["--set a", "--set seeds=["]
    assert "--set n_components=x: n_components is 'x'; valid is a whole number" in found
    assert any(f.endswith(": repeats is 0; valid is a number from 1") for f in found)
    assert len(found) == 4
