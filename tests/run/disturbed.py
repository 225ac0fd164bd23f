"""A run that is disturbed at random moments, and started again until it is done."""

import random
import signal
import time
from collections import Counter
from pathlib import Path

import psutil
from after_runs import arrays, outlived, records, results

PAUSES = [0.1 + 0.0005 * step for step in range(40)]
"""How long the cells of a run take, in seconds: so long that none is fitted once more, warm."""


class Disturbed:
    """A run with a log of its fits, what was kept of it when it last ended, and how often it was disturbed.

    Parameters
    ----------
    start : callable
        Starts the program with some words.
    suite : Path
        Of cells each of which is fitted with a seed of its own.
    cells : int
        How many there are.
    seed : int
        Of the moments.
    """

    def __init__(self, start, suite, cells, seed):
        self.moments = random.Random(seed)
        self.kinds = Counter()
        self.host = None
        self._start, self._suite, self._cells = start, suite, cells
        self.log, self._folder = Path("fits.log").resolve(), Path("out").resolve()
        self._kept = {}
        self._missed = 0
        print(f"seed {seed}")

    def fits(self):
        """Return the seed of each fit that began."""
        return self.log.read_text().split() if self.log.exists() else []

    def _started(self, words):
        """Return whether the run had to be started."""
        if self.host is not None and self.host.poll() is None:
            return False
        self.host = self._start("run", self._suite, "-o", "out", *words, ODD_LOG=str(self.log))
        return True

    def _go(self, words):
        """Start the run, if it does not go on, and wait for a moment: before the first fit, or during one."""
        if self._started(words) and self.moments.random() < 0.2:
            time.sleep(1.5 * self.moments.random())
            return
        wanted, deadline = len(self.fits()) + self.moments.randint(1, 8), time.monotonic() + 300
        while self.host.poll() is None and len(self.fits()) < wanted:
            assert time.monotonic() < deadline, "the run does not go on"
            time.sleep(0.002)
        time.sleep(0.06 * self.moments.random())

    def process(self):
        """Return the host as a list, which is empty if it has ended."""
        return [psutil.Process(self.host.pid)] if self.host.poll() is None else []

    def family(self):
        """Return the server and the workers."""
        return [child for host in self.process() for child in host.children(recursive=True)]

    def disturb(self, kind, do, *words):
        """Do something to the run at a random moment, and count it; start it with these words if need be."""
        self._go(words)
        self._missed += self.host.poll() is not None
        do()
        self.kinds[kind] += 1
        print(f"{sum(self.kinds.values())}: {kind}, {len(self.fits())} fits", flush=True)

    def ended(self, codes):
        """Wait for the run to end; what was kept is kept, and no process is left."""
        family = self.family()
        _, said = self.host.communicate(timeout=900)
        assert self.host.returncode in codes, said
        assert "Traceback" not in said, said
        assert not outlived(family, 20), "a worker or the server outlived the host"
        self.see()
        return said

    def see(self):
        """See that each record that was kept is as it was."""
        now = {key: body for key, body in records(self._folder).items() if '"status":"interrupted"' not in body}
        assert {key: now.get(key) for key in self._kept} == self._kept, "a finished cell was lost or fitted again"
        bare = now.keys() - {key for key, _ in arrays(self._folder)}
        assert not bare, [now[name] for name in bare]
        self._kept = now

    def finish(self, whole, most, *words):
        """Let the run finish; it is that of an undisturbed one, and at most so many fits were done again."""
        self._started(words)
        _, said = self.host.communicate(timeout=900)
        assert self.host.returncode == 0, said
        self.see()
        fits = self.fits()
        again = len(fits) - len(set(fits))
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items()))
        print(f"{kinds}; {self._missed} after the end; {self._cells} cells, {len(fits)} fits, {again} done again")
        assert len(set(fits)) == len(self._kept) == self._cells
        assert again <= most, "a disturbance may cost the cells under way, and no more"
        assert self._missed <= 0.1 * sum(self.kinds.values()), "the run was too short"
        assert results(self._folder) == results(whole)


def stopped(processes, seconds):
    """Stop processes for a while; those that ended in the meantime are none the worse."""
    for sign in (signal.SIGSTOP, signal.SIGCONT):
        for process in processes:
            try:
                process.send_signal(sign)
            except psutil.NoSuchProcess:
                continue
        time.sleep(seconds if sign == signal.SIGSTOP else 0)
