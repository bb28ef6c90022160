"""Many documents compared with each other: scores, judged pairs, their reasons, clusters."""
