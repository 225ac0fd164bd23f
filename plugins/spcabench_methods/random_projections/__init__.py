"""Random projections: many random subsets of the features vote for those that matter."""
