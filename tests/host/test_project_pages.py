"""The pages show what works: their suites are sound, and their method of one's own runs."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from spcabench.plugins import load_registry
from spcabench.suite.load import load_scales

ROOT = Path(__file__).parents[2]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", blocks("suites/README.md", "yaml"), ids=lambda text: text.splitlines()[0])
def test_the_suites_of_the_page_are_sound(text, suite_file, registry, place):
    (place / "genes.csv").write_text("1,2\n3,4\n")
    assert all(loaded.plan.cells for loaded in load_scales(str(suite_file(text)), registry))


@pytest.fixture
def own(plugin_file):
    """Write the page's method of one's own."""
    (text,) = [block for block in blocks("docs/plugins.md", "python") if "hookimpl" in block]
    return plugin_file("my_method", text)


def test_the_method_of_the_page_keeps_as_many_entries_as_asked_for(own):
    spec = importlib.util.spec_from_file_location("page_method", own)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    X = np.random.default_rng(0).standard_normal((30, 8))
    for wanted in (3, [2, 5]):
        components = module.Truncated(n_components=2, n_nonzero=wanted).fit(X).components_
        np.testing.assert_array_equal((components != 0).sum(axis=1), wanted)
        np.testing.assert_allclose(np.linalg.norm(components, axis=1), 1.0)


def test_the_method_of_the_page_is_skipped_where_there_is_only_a_covariance(own, suite_file):
    file = suite_file(methods=["truncated"], datasets=["pitprops", "spiked"])
    (loaded,) = load_scales(str(file), load_registry([own]))
    skipped = {cell.draw.variant.label: bool(cell.skip) for cell in loaded.plan.cells}
    assert skipped == {"pitprops": True, "spiked": False}
