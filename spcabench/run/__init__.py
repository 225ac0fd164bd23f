"""Plan -> records: workers, limits, clock, resume.

This package shares its name with the public function ``spcabench.run``, as which it can be called: the package
``spcabench`` sees to that.
"""
