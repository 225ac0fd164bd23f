"""Records -> tables, figures, one page."""
