"""SMASH RNN (Jiang et al. 2019)."""
