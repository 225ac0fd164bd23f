"""What a notebook uses: run, load, compare, make.  The command line stands on the same functions."""
