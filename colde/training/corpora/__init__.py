"""Training data: labelled pairs, which of them are held out, and what is computed from a corpus and kept."""
