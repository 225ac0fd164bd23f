"""Conformance: hold a method, a data set or a metric to its promises, as the host sees it.

A check is a function with the name of its promise; the second paragraph of its docstring says what is promised.  It
runs a short script; a script that fails is the example that shows the fault.
"""
