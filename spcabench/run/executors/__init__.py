"""What does tasks: local workers, this process, or a Dask cluster, all by one contract."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spcabench.run.executors.contract import Executor, InProcess
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.options import Options
from spcabench.run.progress import Event, Listener


def choose(options: Options, scratch: Path, threads: int, modules: Sequence[str], listener: Listener) -> Executor:
    """Return the executor that the user's options ask for.

    Parameters
    ----------
    options : Options
        What the user chose.
    scratch : Path
        A folder for files.
    threads : int
        BLAS threads of each task.
    modules : sequence of str
        Modules that the tasks need, to import once.
    listener : Listener
        Hears what a cluster says of itself.
    """
    if not options.isolation:
        return InProcess(scratch, threads, options.plugins)
    if options.cluster:
        from spcabench.run.executors.dask_cluster import DaskCluster  # imports what is slow to import

        cluster = DaskCluster(options.cluster, scratch, threads, modules, options.plugins)
        listener(Event(cluster.about, 0, 0))
        return cluster
    return LocalWorkers(scratch, threads, options.jobs, modules, options.plugins)
