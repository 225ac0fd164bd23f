"""Methods that hoard, and leave processes and threads behind."""

import ctypes
import os
import subprocess
import sys
import threading
import time

from harm import LEFT_BEHIND, LONG, folder, method, sleeping

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


@method("out_of_memory", "more than its limit")
def hoards_in_a_daemon(self, X):
    hoard = "import time; hoard = b'x' * 900_000_000; time.sleep(600)"
    again = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {hoard!r}], start_new_session=True)"
    subprocess.run([sys.executable, "-c", again], check=True)
    time.sleep(LONG)


@method("ok")
def leaves_a_daemon(self, X):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", f"import time; time.sleep({LONG})  # {LEFT_BEHIND}"])
        os._exit(0)


@method("ok")
def needs_its_daemon(self, X):
    """Fails if what it started, and let go, is ended while it waits for a word of it."""
    word = folder() / "word"
    late = f"import pathlib, time; time.sleep(1.0); pathlib.Path({str(word.absolute())!r}).touch()"
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", late])
        os._exit(0)
    while not word.exists():
        time.sleep(0.01)


@method("ok")
def disowns_its_orphans(self, X):
    prctl(PR_SET_CHILD_SUBREAPER, 0)
    leaves_a_daemon(self, X)
    time.sleep(0.2)


@method("ok")
def outlives_its_parent(self, X):
    prctl(PR_SET_PDEATHSIG, 0)
    sleeping(start_new_session=True)


@method("ok")
def leaves_many_children(self, X):
    for _ in range(20):
        if os.fork() == 0:
            time.sleep(LONG)


@method("ok")
def leaves_threads(self, X):
    for _ in range(50):
        threading.Thread(target=time.sleep, args=(LONG,), daemon=False).start()


@method("ok")
def raises_in_a_thread(self, X):
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()


@method("crashed", "exit code 7")
def exits_in_a_thread(self, X):
    threading.Thread(target=os._exit, args=(7,)).start()
    time.sleep(LONG)
