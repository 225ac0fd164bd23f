"""Records on disk, and as a data frame."""
