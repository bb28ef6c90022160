"""From vectors and matrices to passages a reader can check."""
