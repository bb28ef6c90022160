"""What the difference between two corresponding sentences means: negation, roles, numbers, names, obligations."""
