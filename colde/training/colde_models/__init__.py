"""Training of the forms of CoLDE, and of the mean of the same sentence vectors."""
