"""``python -m spcabench``: the command line."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, whose files nobody named

from spcabench.cli import main

if __name__ == "__main__":
    main()
