"""Words and runs of letters as weighted counts."""
