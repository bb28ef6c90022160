"""A comparison on the terminal."""
