"""Methods that write to the data which all cells share."""

import contextlib
import ctypes
import mmap
import os
from pathlib import Path

from harm import folder, method

# Data that all cells share


def mapped():
    """Return the files that are mapped here and hold data."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return {line.split(None, 5)[5] for line in lines if "memfd:" in line}


@method("error", "PermissionError")
def writes_through_the_map(self, X):
    parent = f"/proc/{Path('/proc/self/stat').read_text(encoding='utf-8').split()[3]}"
    host = f"/proc/{Path(parent, 'stat').read_text(encoding='utf-8').split()[3]}/fd"
    for name in os.listdir(host):
        with contextlib.suppress(FileNotFoundError):
            if "memfd:spcabench" in os.readlink(f"{host}/{name}") and os.stat(f"{host}/{name}").st_size:
                with open(f"{host}/{name}", "r+b") as file, mmap.mmap(file.fileno(), 0) as data:
                    data[-8:] = b"\0" * 8


@method("error", "PermissionError")
def makes_the_map_writable(self, X):
    page = os.sysconf("SC_PAGE_SIZE")
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    if libc.mprotect(X.ctypes.data // page * page, page, mmap.PROT_READ | mmap.PROT_WRITE):
        raise OSError(ctypes.get_errno(), "mprotect")
    ctypes.memset(X.ctypes.data, 0, X.nbytes)


@method("error", "ValueError: cannot set WRITEABLE")
def makes_the_array_writable(self, X):
    X.flags.writeable = True


@method("ok")
def overwrites_the_file_of_data(self, X):
    for file in folder().parent.glob("*/data"):
        file.write_bytes(b"\0" * file.stat().st_size)


@method("ok")
def removes_the_file_of_data(self, X):
    for file in folder().parent.glob("*/data"):
        file.unlink()
