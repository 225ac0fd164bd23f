"""A document as Markdown, LaTeX, CSV, HTML and lines of a terminal: one file a format."""
