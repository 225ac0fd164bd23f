"""The figures of a try: each a module with a function ``draw``, which takes the answer."""

from __future__ import annotations

from collections.abc import Iterator

from spcabench.explore.answer import Answer
from spcabench.explore.figures import curve, frequencies, heat_map, scores, scree
from spcabench.report.document import Figure

_ALL = {
    "heat_map": (heat_map.draw, "Loadings", "the variables of each component, signed"),
    "curve": (curve.draw, "Variance against nonzeros", "each method on the whole table, and the choice"),
    "scree": (scree.draw, "Scree", "eigenvalues, and the largest of permuted columns"),
    "frequencies": (frequencies.draw, "Selection frequencies", "how often halves of the rows select a variable"),
    "scores": (scores.draw, "Scores", "the rows along the first components"),
}


def figures(answer: Answer) -> Iterator[Figure]:
    """Draw the figures that the answer has something for."""
    for name, (draw, heading, caption) in _ALL.items():
        view = draw(answer)
        if view is not None:
            yield Figure(name, heading, caption, view)
