"""The built-in metrics: one file per family, each a plugin of its own."""
