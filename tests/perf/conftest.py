"""Benchmarks run in one process: beside others pytest-benchmark measures nothing."""

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config):
    config.option.numprocesses = 0
    return (yield)
