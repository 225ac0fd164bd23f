"""Methods that raise what no fit should raise, or leave what is no result."""

import os
import shutil
import sys
import warnings

import numpy as np
from harm import NO_RESULT, folder, leave, method

from spcabench.run import messages

# What is raised


class Novel(BaseException):
    pass


@method("error", "KeyboardInterrupt: not the user's")
def raises_keyboard_interrupt(self, X):
    raise KeyboardInterrupt("not the user's")


@method("error", "GeneratorExit: out")
def raises_generator_exit(self, X):
    raise GeneratorExit("out")


@method("error", "Novel: of my own")
def raises_base_exception(self, X):
    raise Novel("of my own")


@method("error", "StopIteration")
def raises_stop_iteration(self, X):
    raise StopIteration


@method("error", "MemoryError: none left")
def raises_memory_error(self, X):
    raise MemoryError("none left")


@method("error", "ExceptionGroup: two")
def raises_group(self, X):
    raise ExceptionGroup("two", [ValueError("a"), OSError("b")])


@method("error", "RecursionError")
def recurses(self, X):
    recurses(self, X)


@method("error", "SystemExit: 0")
def exits_politely(self, X):
    sys.exit(0)


@method("error", "\\udce9")
def raises_half_a_character(self, X):
    raise OSError("caf\udce9")


@method("error", "RuntimeWarning: now an error")
def makes_warnings_errors(self, X):
    warnings.simplefilter("error")
    warnings.warn("now an error", RuntimeWarning, stacklevel=1)


# What is left


@method("crashed", NO_RESULT)
def leaves_a_list(self, X):
    leave(b"[1]")


@method("crashed", NO_RESULT)
def leaves_brackets(self, X):
    leave(b"[" * 100_000)


@method("crashed", NO_RESULT)
def leaves_nested_braces(self, X):
    leave(b'{"kind":' * 50_000 + b"\n")


@method("crashed", "16777216")
def leaves_too_much(self, X):
    leave(b" " * 2**25)


@method("crashed", "the result of a score")
def leaves_a_result_of_another_kind(self, X):
    leave(messages.RESULTS.dumps(messages.ScoreResult()))


@method("crashed", "a failure of status interrupted")
def claims_to_be_interrupted(self, X):
    leave(messages.RESULTS.dumps(messages.Failure(status="interrupted", reason="")))


@method("crashed", "no regular file")
def leaves_a_pipe(self, X):
    os.mkfifo(folder() / messages.RESULT)
    os._exit(0)


@method("crashed", "link")
def leaves_a_link(self, X):
    (folder() / messages.RESULT).symlink_to("/dev/zero")
    os._exit(0)


@method("crashed", "no regular file")
def leaves_a_folder(self, X):
    (folder() / messages.RESULT).mkdir()


@method("crashed", "exit code 1")
def has_nowhere_to_leave_loadings(self, X):
    (folder() / messages.LOADINGS).symlink_to("/dev/full")


@method("crashed", "before the fit was done")
def leaves_nothing(self, X):
    os._exit(0)


@method("crashed", "before the fit was done")
def removes_the_work_folder(self, X):
    shutil.rmtree(folder().parent, ignore_errors=True)


@method("invalid", "components_ of shape (3, 4000000)")
def has_huge_components(self, X):
    self.components_ = np.zeros((3, 4_000_000))


@method("ok")
def has_huge_facts(self, X):
    self.n_iter_ = np.ones(5_000_000, dtype=int)
    self.objective_ = "word " * 5_000_000
    self.n_fits_ = 10**400


@method("ok")
def warns_of_everything(self, X):
    for number in range(100_000):
        warnings.warn(f"{number} {'x' * 5000}", stacklevel=1)
