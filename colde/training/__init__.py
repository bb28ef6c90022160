"""From labelled pairs to a checkpoint."""
