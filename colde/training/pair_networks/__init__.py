"""Training of a baseline's network on labelled pairs."""
