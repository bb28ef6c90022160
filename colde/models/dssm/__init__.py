"""DSSM (Huang et al. 2013)."""
