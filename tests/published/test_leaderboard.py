"""The suite that compares everything leaves nothing out."""

from spcabench.plugins import load_registry
from spcabench.suite.load import load_suite


def test_every_built_in_method_is_on_the_leaderboard():
    registry = load_registry()
    suite = load_suite("leaderboard", registry).suite
    built_in = {name for name, origin in registry.methods.origins.items() if origin.startswith("spcabench_methods.")}
    assert {entry.name for entry in suite.methods} == built_in


def test_its_data_needs_no_download():
    suite = load_suite("leaderboard", load_registry()).suite
    assert {entry.name for entry in suite.datasets} == {
        "pitprops",
        "digits",
        "hastie_exact",
        "hastie",
        "toy_outlier",
        "spiked",
    }
