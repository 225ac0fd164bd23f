"""What the docstring of every public estimator tells: its parameters as they are, its cost and its source."""

from __future__ import annotations

import ast
import inspect
import re

import pytest
import spcabench_methods

SECTIONS = ["Parameters", "Attributes", "Notes", "References", "Examples"]

PLACE = re.compile(r"(section|equation|algorithm|model|formulation|problem)s?\s+(\(?\d|PCA-L1)")
"""Where in a paper something is."""

ONLY_NAMED = {
    *("ALSPCA", "FirstOrderDSPCA", "LeastSquaresSPCA", "SPCAGrid", "SparsePCASelector", "MomentSPCA"),
    *("AManPG", "BlockDiagonal", "DiagonalThresholding", "LowRankThresholding", "ManPG"),
    *("EESPCA", "ROSPCA", "RowTruncation", "SCA", "ThresholdedOja"),
}
"""Estimators whose papers are named without a place."""

ESTIMATORS = [name for name in spcabench_methods.__all__ if isinstance(getattr(spcabench_methods, name), type)]
every = pytest.mark.parametrize("name", ESTIMATORS)


def sections_of(name):
    """Split a docstring at its underlined titles; what is before the first is the description."""
    text = inspect.getdoc(getattr(spcabench_methods, name))
    parts = re.split(r"^(\w+)\n-+$", text, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


@every
def test_parameters_are_told_with_their_defaults_and_those_by_place_first(name):
    told = re.findall(r"^(\w+) : .*default=(.*)$", sections_of(name)["Parameters"], flags=re.MULTILINE)
    signature = inspect.signature(getattr(spcabench_methods, name)).parameters
    by_place = [p for p, declared in signature.items() if declared.kind is declared.POSITIONAL_OR_KEYWORD]
    assert [p for p, _ in told][: len(by_place)] == by_place
    assert sorted((p, repr(ast.literal_eval(default))) for p, default in told) == sorted(
        (p, repr(declared.default)) for p, declared in signature.items()
    )


@every
def test_cost_and_source_are_told(name):
    sections = sections_of(name)
    assert list(sections)[1:] == [title for title in SECTIONS if title in sections]
    assert "O(" in sections[""]
    assert re.search(r"\b(19|20)\d\d\b", sections["References"])
    assert bool(PLACE.search(sections["References"])) is (name not in ONLY_NAMED)
    assert ">>>" in sections["Examples"]
