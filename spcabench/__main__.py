"""``python -m spcabench``: the command line."""

import os
import sys

from spcabench.process import VARIABLE, without_current_folder

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, whose files nobody named
if VARIABLE in os.environ:
    sys.path[:] = without_current_folder(sys.path, os.environ)

from spcabench.cli import main

if __name__ == "__main__":
    main()
