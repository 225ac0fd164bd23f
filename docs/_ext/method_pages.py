"""A page for each method of the registry: example, model, algorithm, cost, parameters, evidence, BibTeX."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import evidence
from running import run_block
from snapshot_tables import filled

from spcabench.importing import resolve
from spcabench.plugins import load_registry
from spcabench.report.bibliography import cited, known_entries
from spcabench.specs import MethodSpec
from spcabench.suite.making import example_call

ORIGIN = "spcabench_methods."
"""How the registry names the plugin of the built-in methods."""

EXAMPLE = """\
import pandas as pd
import spcabench
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
spca = {call}.fit(X)
loadings = pd.DataFrame(spca.components_.T, wine.feature_names, ["PC1", "PC2", "PC3"])
print(loadings[loadings.any(axis=1)].round(2))"""

SPARSE = {
    "weights": "the weights of the scores, see :doc:`/weights`",
    "loadings": "the loadings that approximate the samples, see :doc:`/weights`",
    "": "neither weights nor loadings: it is dense",
}

KNOBS = {
    "cardinality": "``{}`` is the number of nonzeros of each component",
    "penalty": "``{}`` is a penalty, which a run searches for the wanted number of nonzeros",
    "none": "none: the loadings are dense",
}


@dataclass(frozen=True)
class Words:
    """The parts of a class's docstring."""

    summary: str
    model: str
    cost: str


def words_of(estimator: type) -> Words:
    """Return what the docstring of an estimator says before its parameters; paragraphs with O(...) are its cost."""
    text = inspect.getdoc(estimator) or ""
    head = re.split(r"^\w[\w ]*\n-{3,}$", text, maxsplit=1, flags=re.MULTILINE)[0]
    first, *rest = [part for part in re.split(r"\n\s*\n", head) if part.strip()]
    cost = [part for part in rest if re.search(r"\bO\(", part)]
    return Words(first, "\n\n".join(part for part in rest if part not in cost), "\n\n".join(cost))


def methods() -> list[MethodSpec]:
    """Return the built-in methods, in the order of the registry."""
    known = load_registry().methods
    return [spec for name, spec in known.specs.items() if known.origins[name].startswith(ORIGIN)]


def example(spec: MethodSpec) -> str:
    """Return the example of a method."""
    return EXAMPLE.format(call=example_call(spec))


def heading(text: str, line: str) -> str:
    """Return a heading in reStructuredText."""
    return f"{text}\n{line * len(text)}\n"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], widths: str = "auto") -> str:
    """Return a table in reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", ""]
    for row in (columns, *rows):
        lines += [f"   {'* -' if not place else '  -'} {cell}" for place, cell in enumerate(row)]
    return "\n".join(lines) + "\n"


def plain(text: str) -> str:
    """Return a text in which nothing is markup."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def page(spec: MethodSpec, known: Sequence[str]) -> str:
    """Return the page of a method."""
    estimator = resolve(spec.estimator)
    checks = evidence.checks().get(spec.name, [])
    total = Counter(check["source"] for check in checks)
    met = Counter(check["source"] for check in checks if check["verdict"] == "reached")
    misses = [check for check in checks if check["verdict"] != "reached"]
    parameters = [
        (f"``{name}``", f"``{one.default!r}``", plain(one.meaning), plain(str(one.valid)))
        for name, one in spec.parameters.items()
    ]
    return filled(
        "method.rst",
        globals(),
        spec=spec,
        class_name=estimator.__name__,
        code=f"../../_modules/{estimator.__module__.replace('.', '/')}.html#{estimator.__name__}",  # made by viewcode
        words=words_of(estimator),
        example=example(spec),
        printed=run_block(example(spec), {"__name__": "__page__"}, spec.name),
        parameters=table(["parameter", "default", "meaning", "valid"], parameters, "15 12 48 25"),
        checks=checks,
        sources=table(["source of the number", "reached"], [(plain(s), f"{met[s]} of {total[s]}") for s in total]),
        misses=[[plain(row[column]) for column in ("check", "expected", "reached", "reason")] for row in misses],
        published=[
            (f"``{suite}``", ", ".join(f"{n} {verdict}" for verdict, n in verdicts.items()))
            for suite, verdicts in evidence.published().get(spec.name, {}).items()
        ],
        optima=evidence.optima().get(spec.name),
        cited="\n\n".join(cited([spec], known)),
    )


def index(specs: Sequence[MethodSpec]) -> str:
    """Return the page that lists the methods by family."""
    families: dict[str, list[tuple[str, str, str]]] = {}
    for spec in specs:
        families.setdefault(spec.family, []).append((f":doc:`{spec.name}`", plain(spec.title), spec.sparse or "—"))
    return filled("methods.rst", globals(), specs=specs, families=families)


def pages() -> dict[str, str]:
    """Return the page of each method, and the index."""
    specs = methods()
    known = known_entries(specs)
    return {f"methods/{spec.name}.rst": page(spec, known) for spec in specs} | {"methods/index.rst": index(specs)}
