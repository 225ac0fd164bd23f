"""A plugin of methods with one fault each; ``FAULTS`` has what `check` and `run` are to say of them."""

import os
import sys
import time
from dataclasses import dataclass

import numpy as np
from planted_methods import Sound

import spcabench
from spcabench import CARDINALITY, MethodSpec

LONG = 600.0


@dataclass(frozen=True)
class Fault:
    """What is to be said of a fault.

    Parameters
    ----------
    promise : str
        The one that `check` finds broken; empty if there is none.
    said : str
        Words of what `check` says of it.
    status, reason : str
        Of the cell of a run, and words of its reason; ``refused`` if `run` fits nothing.
    estimator : str
        If it is not a class of this file.
    """

    promise: str
    said: str
    status: str
    reason: str = ""
    estimator: str = ""


FAULTS = {
    "transposed": Fault("shape", "components_ has shape (4, 1); wanted is (1, 4)", "invalid", "wanted is (2, 12)",
                        "planted_methods:Transposed"),
    "a_list": Fault("shape", "components_ is a list; an array of NumPy is wanted", "ok", "", "planted_methods:Listed"),
    "complex_numbers": Fault("shape", "components_ holds complex128; real numbers are wanted", "invalid", "complex128"),
    "not_finite": Fault("finite", "components_ holds values that are not finite", "invalid", "not finite",
                        "planted_methods:NotFinite"),
    "not_unit": Fault("unit_rows", "lengths 2; valid is 1", "invalid", "norm 2; wanted is 1 or 0",
                      "planted_methods:NotUnit"),
    "unseeded": Fault("deterministic", "two fits with the same seed have different", "ok", "other loadings in a repeat",
                      "planted_methods:Unseeded"),
    "changes_the_samples": Fault("samples_untouched", "fit changes the samples", "error", "read-only",
                                 "planted_methods:InPlace"),
    "seeds_the_global_generator": Fault("global_state", "fit draws from a global random generator", "ok", "",
                                        "planted_methods:SeedsAll"),
    "other_knob": Fault("constructor", "unexpected keyword argument 'n_nonzero'", "error", "n_nonzero",
                        "planted_methods:OtherKnob"),
    "no_fit": Fault("resolves", "has no method fit", "error", "fit", "planted_methods:NoFit"),
    "prints_much": Fault("", "", "ok"),
    "hangs_in_init": Fault("shape", "longer than", "timeout", "longer than"),
    "hangs_in_the_warm_up": Fault("shape", "longer than", "timeout", "longer than"),
    "hangs_in_fit": Fault("planted_support", "longer than", "timeout", "the fit took longer than its limit"),
    "hangs_at_stdout": Fault("", "", "ok"),
    "aborts": Fault("shape", "ended by SIGABRT", "crashed", "SIGABRT"),
    "exits": Fault("shape", "exit code 3", "crashed", "exit code 3"),
    "raises": Fault("shape", "LinAlgError: no luck", "error", "LinAlgError: no luck"),
    "takes_all_memory": Fault("shape", "more than its limit", "out_of_memory", "more than its limit"),
    "slow_import": Fault("", "", "ok", "", "slow_import:Slow"),
    "missing_package": Fault("resolves", "No module named 'no_such_package'", "unavailable", "no_such_package",
                             "missing_package:Missing"),
    "missing_class": Fault("resolves", "has no 'Mising'", "error", "Mising", "planted_methods:Mising"),
}  # fmt: skip


class ComplexNumbers(Sound):
    def kept(self, rows):
        return 1j * super().kept(rows)


class PrintsMuch(Sound):
    def dense(self, X):
        for number in range(20_000):
            print("line", number)
        return super().dense(X)


class HangsInInit(Sound):
    def __init__(self, n_components=2, n_nonzero=1):
        time.sleep(LONG)


class HangsInTheWarmUp(Sound):
    def dense(self, X):
        time.sleep(LONG)


class HangsInFit(Sound):
    def dense(self, X):
        if len(X) > 60:
            time.sleep(LONG)
        return super().dense(X)


class HangsAtStdout(Sound):
    def dense(self, X):
        class Stuck:
            def write(self, text):
                pass

            def flush(self):
                time.sleep(LONG)

        sys.stdout = Stuck()
        return super().dense(X)


class Aborts(Sound):
    def dense(self, X):
        os.abort()


class Exits(Sound):
    def dense(self, X):
        os._exit(3)


class Raises(Sound):
    def dense(self, X):
        raise np.linalg.LinAlgError("no luck")


class TakesAllMemory(Sound):
    def dense(self, X):
        hoard = [np.ones(2**27)]
        while True:
            hoard.append(hoard[-1] + 1)


def class_of(name):
    """Return the class of a fault, as a specification names it."""
    return FAULTS[name].estimator or f"{__name__}:{''.join(word.capitalize() for word in name.split('_'))}"


@spcabench.hookimpl
def spcabench_methods():
    samples = frozenset({"samples"})
    return [MethodSpec(name=name, estimator=class_of(name), knob=CARDINALITY, requires=samples) for name in FAULTS]
