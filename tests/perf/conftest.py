"""What saved runs of the benchmarks say of the machine: the versions that speeds depend on too."""

from __future__ import annotations

from spcabench.perf.history import versions


def pytest_benchmark_update_machine_info(config, machine_info):
    machine_info["versions"] = versions()
