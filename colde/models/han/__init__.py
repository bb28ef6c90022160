"""Hierarchical attention network (Yang et al. 2016)."""
