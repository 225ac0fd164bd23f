"""The suite that compares everything leaves nothing out."""

from spcabench.analysis.times import LEAST_REPEATS
from spcabench.plugins import load_registry
from spcabench.suite.load import load_suite
from spcabench.suite.models import TRACKS


def test_every_built_in_method_is_on_the_leaderboard():
    registry = load_registry()
    suite = load_suite("leaderboard", registry).suite
    built_in = {name for name, origin in registry.methods.origins.items() if origin.startswith("spcabench_methods.")}
    assert {entry.name for entry in suite.methods} == built_in


def test_each_question_is_a_track_and_what_must_be_fetched_is_optional():
    registry = load_registry()
    asked = {scale: load_suite("leaderboard", registry, scale=scale).suite for scale in ("default", "cost", "full")}
    names = [track.name for scale in ("default", "cost") for track in asked[scale].tracks]
    assert names == [track.name for track in asked["full"].tracks] == list(TRACKS)
    fetched = {"covariance_file", "colon", "golub", "mnist", "natural_images"}
    for suite in asked.values():
        assert {entry.name for entry in suite.datasets if entry.optional} <= fetched
        assert {entry.name for entry in suite.datasets if not entry.optional}.isdisjoint(fetched)
    assert asked["cost"].clock.at_least >= LEAST_REPEATS
