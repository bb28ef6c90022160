"""What a release rebuilds: cards, screenshots, figures."""
