"""The README of a submission."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from spcabench.check.subjects import Finding
from spcabench.store.about import About
from spcabench.store.record import Record
from spcabench.submission.manifest import Manifest
from spcabench.suite.load import Loaded

SHOWN = ("CPU", "cores", "system", "python", "spcabench", "numpy", "scipy", "scikit-learn", "BLAS")
"""What of an environment the page shows; run.sqlite has all."""

PAGE = """\
# {method}

Results of the method {method} on the suite {suite}: {counts}.
They were fitted with {origin}, whose licence is {licence}.

Of {n_checks} promises {kept} are kept and none is broken.{exempt}

{spec}

{machine}

To add it to a run of the same suite:

```console
spcabench submission merge FOLDER --into RUN
```
"""


def page(
    manifest: Manifest,
    findings: Sequence[Finding],
    declared: Mapping[str, str],
    about: About,
    loaded: Loaded,
    records: Sequence[Record],
) -> str:
    """Return the README of a submission, in Markdown."""
    machine = {name: about.environment[name] for name in SHOWN if name in about.environment}
    exempt = "; ".join(f"{check.promise} ({check.reason})" for check in findings if check.verdict == "exempt")
    return PAGE.format(
        method=manifest.method,
        suite=", ".join(filter(None, (loaded.suite.name, about.form))),
        counts=", ".join(f"{n} {status}" for status, n in Counter(record.status for record in records).items()),
        origin=declared["plugin"],
        licence=manifest.licence,
        n_checks=len(findings),
        kept=sum(check.verdict == "kept" for check in findings),
        exempt=f"  Exempt, with the reason: {exempt}." if exempt else "",
        spec=_table("method", declared),
        machine=_table("machine", machine),
    )


def _table(head: str, rows: Mapping[str, str]) -> str:
    lines = [f"| {name} | {' '.join(text.replace('|', '/').split())} |" for name, text in rows.items()]
    return "\n".join([f"| {head} | |", "| --- | --- |", *lines])
