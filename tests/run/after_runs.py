"""What a run leaves: what it kept, as far as it must not depend on when, where or how often, and its processes."""

import json

import psutil


def results(folder):
    """Return records, loadings, the main table and the figures by name, without times and places."""
    kept = {}
    for file in sorted((folder / "records").glob("*.json")):
        record = json.loads(file.read_text())
        fit = {k: v for k, v in record["fit"].items() if k not in ("contended", "load", "worker", "environment")}
        kept[file.stem] = (record["status"], record["reason"], record["metrics"], record["cell"], fit)
    for file in sorted((folder / "loadings").glob("*.npz")):
        kept[f"loadings/{file.stem}"] = file.read_bytes()
    for file in sorted((folder / "tables").glob("main.*")) + sorted((folder / "figures").glob("*.svg")):
        kept[file.name] = file.read_text()
    return kept


def outlived(processes, seconds):
    """Return those of the processes that still live after so many seconds; a zombie that nobody waits for does not."""
    alive = psutil.wait_procs(processes, timeout=seconds)[1]
    return [process for process in alive if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
