"""What a notebook uses: run, load, compare.  The command line stands on the same functions."""
