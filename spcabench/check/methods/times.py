"""Whether the time of a fit grows as a power of the size."""

from __future__ import annotations

from spcabench.check.methods.trial import Trial

POWER = 5
"""The time may grow with this power of the size."""
LEAST, BRIEF, LONG = 0.001, 0.2, 2.0
"""Processor seconds: what the smallest fit is taken to take at least, what is not judged, and what ends the growth."""
SIZES = tuple(round(8 * 1.5**i) for i in range(7))

_SECONDS = """\
def seconds(n, d):
    X = np.random.default_rng(0).standard_normal((n, d)) * np.arange(d, 0, -1)
    begin = process_time()
    new().fit(X)
    return process_time() - begin"""


def growth(trial: Trial) -> None:
    """Time fits to more and more features, and to more and more samples."""
    for axis, sizes in (("features", "(40, {})"), ("samples", "({}, 8)")):
        script = trial.script()
        script.run("from time import process_time", _SECONDS)
        least = sizes.format(SIZES[0])
        script.run(f"seconds{least}  # compiles what is to be compiled", f"first = max({LEAST}, seconds{least})")
        for size in SIZES[1:]:
            script.run(f"last = seconds{sizes.format(size)}")
            last = script.names["last"]
            words = f"it takes {last:.3g} s with {size} {axis}, and {script.names['first']:.3g} s with {SIZES[0]}"
            script.want(f"last < max({BRIEF}, ({size} / {SIZES[0]}) ** {POWER} * first)", words)
            if last > LONG:
                break
