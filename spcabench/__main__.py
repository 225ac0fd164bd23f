"""``python -m spcabench``: the command line."""

from spcabench.cli import main

if __name__ == "__main__":
    main()
