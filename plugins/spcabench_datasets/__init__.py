"""The built-in data sets: one file per data set or close family, each a plugin of its own."""
