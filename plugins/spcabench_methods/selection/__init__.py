"""Choose how many components and how many nonzeros from the data: `SparsePCASelector`, and a file for each rule.

The rules are those of the literature, each in the form in which it did best on planted data; README.md in this folder
has the numbers, and why ``GridSearchCV`` on ``score`` does not choose.  Importing this page imports nothing heavy.
"""
