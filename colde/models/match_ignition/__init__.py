"""Match-Ignition (Pang et al. 2021)."""
