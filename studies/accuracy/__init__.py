"""Figures of the models on pairs that chose nothing."""
