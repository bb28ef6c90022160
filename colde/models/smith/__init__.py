"""SMITH (Yang et al. 2020)."""
