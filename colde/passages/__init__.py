"""What two texts share: one list of passages."""
