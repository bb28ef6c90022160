"""ARC-I (Hu et al. 2014)."""
