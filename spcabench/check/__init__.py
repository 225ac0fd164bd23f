"""Conformance: hold a method, a data set or a metric to its promises, as the host sees it.

The docstring of a check says what it does, and in its second paragraph the promise that it tries.  A check runs a short
script; a script that fails is the example that shows the fault.
"""
