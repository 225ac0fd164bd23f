"""The README of a submission."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from spcabench.store.about import About
from spcabench.store.record import Record
from spcabench.submission.manifest import FILE, Manifest
from spcabench.suite.load import Loaded

SHOWN = ("CPU", "cores", "system", "python", "spcabench", "numpy", "scipy", "scikit-learn", "BLAS")
"""What of an environment the page shows; run.sqlite has all."""


def page(manifest: Manifest, about: About, loaded: Loaded, records: Sequence[Record]) -> str:
    """Return the README of a submission, in Markdown."""
    counts = ", ".join(f"{n} {status}" for status, n in Counter(record.status for record in records).items())
    machine = {name: about.environment[name] for name in SHOWN if name in about.environment}
    if about.reference is not None:
        machine["reference fit"] = f"{1000 * about.reference:.3g} ms"
    verdicts = [f"{check.promise} ({check.reason})" for check in manifest.checks if check.verdict == "exempt"]
    exempt = f"  Exempt, with the reason: {'; '.join(verdicts)}." if verdicts else ""
    kept = sum(check.verdict == "kept" for check in manifest.checks)
    form = f", {about.form}" if about.form else ""
    return "\n".join(
        [
            f"# {manifest.method}",
            "",
            f"Results of the method {manifest.method} on the suite {loaded.suite.name}{form}: {counts}.",
            f"They were fitted with {manifest.origin}, whose licence is {manifest.licence}.",
            "",
            f"Of {len(manifest.checks)} promises {kept} are kept and none is broken.{exempt}",
            "",
            *_table("method", manifest.spec),
            *_table("machine", machine),
            *_table("file", _files(manifest)),
            "To add it to a run of the same suite:",
            "",
            "```console",
            "spcabench submission merge FOLDER --into RUN",
            "```",
            "",
        ]
    )


def _files(manifest: Manifest) -> dict[str, str]:
    source = {manifest.source: "the method"} if manifest.source else {}
    return {
        **source,
        FILE: "the specification of the method, its licence, and what was found of each promise",
        "run.sqlite": "a record for each cell, the loadings of each fit, a hash of each data set, the machine",
        "suite.yaml": "the suite as run",
    }


def _table(head: str, rows: Mapping[str, str]) -> list[str]:
    lines = [f"| {name} | {' '.join(text.replace('|', '/').split())} |" for name, text in rows.items()]
    return [f"| {head} | |", "| --- | --- |", *lines, ""]
