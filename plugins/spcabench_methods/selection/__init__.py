"""Choose how many components and how many nonzeros from the data: `SparsePCASelector`, and a file for each step."""
