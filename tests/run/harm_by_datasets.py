"""Data sets that cannot be drawn."""

import os
import signal
import sys
import time

import numpy as np
from harm import LONG, NO_RESULT, dataset, folder, leave

import spcabench
from spcabench import Dataset
from spcabench.run import messages


@dataset("drawing the data set took longer than its limit of 12 s")
def never_comes(rng):
    time.sleep(LONG)


@dataset("KeyboardInterrupt: no user")
def is_interrupted(rng):
    raise KeyboardInterrupt("no user")


@dataset("SystemExit: bye")
def exits_while_drawing(rng):
    sys.exit("bye")


@dataset("exit code 3")
def ends_while_drawing(rng):
    os._exit(3)


@dataset("SIGSEGV")
def is_a_fault(rng):
    os.kill(os.getpid(), signal.SIGSEGV)


@dataset("where Dataset is wanted")
def is_a_list(rng):
    return [1.0]


@dataset("holds objects")
def has_objects(rng):
    return Dataset(X=rng.standard_normal((50, 8)), y=np.array([object()] * 50))


@dataset(NO_RESULT)
def leaves_no_result(rng):
    leave(b"[1]")


@dataset("more than its limit")
def takes_all_memory(rng):
    hoard = np.ones(80_000_000)
    time.sleep(LONG)
    return hoard


@dataset("left no file of data")
def leaves_a_pipe_for_data(rng):
    summary = spcabench.run.worker.data_files.save(Dataset(X=rng.standard_normal((50, 8))), folder())
    (folder() / messages.DATA).unlink()
    os.mkfifo(folder() / messages.DATA)
    leave(messages.RESULTS.dumps(messages.DrawResult(data=summary)) + b"\n")
