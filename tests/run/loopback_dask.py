"""A Dask scheduler and workers, each a process on loopback."""

import os
import socket
import subprocess
import sys
import time


class Dask:
    """A scheduler and the workers that were added."""

    def __init__(self, folder):
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.workers = []
        words = ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        self.scheduler = self._start(words, "scheduler")
        self._until("scheduler", "Scheduler at")

    def add(self, *words, **environment):
        name = f"worker-{len(self.workers)}"
        place = ["--local-directory", str(self._folder), "--name", name]
        settings = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "20", *place, *words]
        self.workers.append(self._start(["worker", self.address, *settings], name, **environment))
        return name

    def ready(self, name):
        self._until(name, "Registered to")

    def replace(self, **environment):
        """Put one worker in the place of all."""
        for worker in self.workers:
            worker.kill()
        self.ready(self.add(**environment))

    def close(self):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()

    def _start(self, words, name, **environment):
        log = (self._folder / f"{name}.log").open("wb")
        command = [sys.executable, "-m", "dask", *words]
        environment = {**os.environ, "DASK_DISTRIBUTED__COMM__RETRY__COUNT": "0", **environment}
        return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder, env=environment)

    def _until(self, name, text):
        log = self._folder / f"{name}.log"
        deadline = time.monotonic() + 180
        while text not in log.read_text():
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
