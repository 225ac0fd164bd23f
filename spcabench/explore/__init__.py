"""A table of one's own: what is in it, and what is to be done with it."""
