"""From a score to a verdict: profiles, thresholds, calibration, and reference collections."""
