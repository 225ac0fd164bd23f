"""Conformance: hold a method, a data set or a metric to its promises, as the host sees it.

`spcabench.promises` lists the promises.  A check runs a short script; a script that fails is the example that shows the
fault.
"""
