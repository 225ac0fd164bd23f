"""What the pages and docstrings of the methods tell, and what is public."""

import ast
import inspect
import re
import subprocess
import sys

import pytest
import spcabench_methods
from contract import registered


@pytest.mark.parametrize("name", registered())
def test_a_specification_names_what_exists(name):
    spec, kind = registered()[name].spec, type(registered()[name].estimator)
    assert kind(**spec.params).get_params().keys() == {*spec.parameters, *spec.params}
    assert spec.knob.kind == "none" or spec.knob.parameter in spec.parameters
    assert spec.iterations == ("max_iter" if "max_iter" in spec.parameters else "")
    assert spec.tolerance == ("tol" if "tol" in spec.parameters else "")


UNREGISTERED = {"GroupTPower", "MomentSPCA", "SparsePCASelector"}
"""The first is `TPower` where no groups are given; the others fit a method of others."""


def test_the_estimators_listed_are_those_registered():
    classes = [name for name in spcabench_methods.__all__ if inspect.isclass(getattr(spcabench_methods, name))]
    assert classes == sorted({*UNREGISTERED, *(configuration.kind for configuration in registered().values())})


def test_public_names_are_where_the_stub_says_and_nothing_else_is_public():
    for name in spcabench_methods.__all__:
        public = getattr(spcabench_methods, name)
        assert (public.__module__, public.__name__) == (spcabench_methods._HOMES[name], name)
    code = "import spcabench_methods as m; print(dir(m) == m.__all__, [n for n in vars(m) if n[0] != '_'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "['annotations']"]
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        spcabench_methods.Nothing  # noqa: B018


SECTIONS = ["Parameters", "Attributes", "Notes", "References", "Examples"]

PLACE = re.compile(r"(section|equation|algorithm|model|formulation|problem)s?\s+(\(?\d|PCA-L1)")
"""Where in a paper something is."""

ONLY_NAMED = {
    *("ALSPCA", "FirstOrderDSPCA", "LeastSquaresSPCA", "SPCAGrid", "SparsePCASelector", "MomentSPCA"),
    *("AManPG", "BlockDiagonal", "DiagonalThresholding", "LowRankThresholding", "ManPG"),
    *("EESPCA", "R1PCA", "ROSPCA", "RobustSubspace", "RowTruncation", "SCA", "ThresholdedOja"),
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
