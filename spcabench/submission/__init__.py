"""A method's results as a folder for others, and such folders merged into a run."""
