"""Find the methods that scores are scaled by, and those that ranks are against."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.parameters import unknown_name
from spcabench.report.model import Results
from spcabench.report.wins import PANEL
from spcabench.site.scores import Controls
from spcabench.wording import Fault, InputError


def controls_of(runs: Sequence[Results], simple: str = "", dense: str = "") -> Controls:
    """Return the controls that are named; else the first method with a target, and the first one without.

    The panel are the methods with a target that the suites emphasise, or else those that they name first: a method
    that is added behind them moves no rank.

    Raises
    ------
    InputError
        If the runs have no method of such a name or kind.
    """
    groups = [group for results in runs for group in results.groups]
    without = list(dict.fromkeys(group.method for group in groups if group.knob == "none"))
    having = list(dict.fromkeys(group.method for group in groups if group.knob != "none"))
    named = dict.fromkeys(str(label) for results in runs for label in results.suite.report.emphasis)
    panel = [label for label in named if label in having] or having
    return Controls(
        _chosen(simple, having, "--simple", "a target"),
        _chosen(dense, without, "--dense", "no target"),
        tuple(panel[:PANEL]),
    )


def _chosen(name: str, labels: Sequence[str], option: str, kind: str) -> str:
    if not labels:
        raise InputError(f"no method of these runs has {kind}, and the scores are scaled by one: run it, too")
    if name and name not in labels:
        raise InputError(Fault(f"no method with {kind} has this label{unknown_name(name, labels)}", option))
    return name or labels[0]
