"""A table of one's own: from the file to which components, which variables, and which method."""
