"""Scaffolds: plugins and suites that already run, for a user to change.

The templates are a plugin called ``example`` that is checked and tested as it is; another name takes the place of that
word.
"""
