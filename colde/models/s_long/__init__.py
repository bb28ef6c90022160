"""The encoder with sliding-window attention over the entire document."""
