"""How long a fuzzer goes on: a quarter of a minute in the nightly tests, or as many cases as the variable FUZZ says."""

import os
import random
import time

MOST_CPU = 2.0
"""Processor seconds that one case may take."""
SECONDS = 15.0


def seeds():
    """Yield seeds, the first of which is printed; FUZZ_SEED starts where a case failed."""
    start = int(os.environ.get("FUZZ_SEED", random.randrange(10**9)))
    count = int(os.environ.get("FUZZ", 0))
    print(f"FUZZ_SEED={start}")
    since, number = time.monotonic(), 0
    while number < count or (not count and time.monotonic() - since < SECONDS):
        print(f"FUZZ=1 FUZZ_SEED={start + number}", end="\r")  # of the case that failed, if one does
        yield start + number
        number += 1
    print(f"{number} cases")
