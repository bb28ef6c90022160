"""The pages of the explorer, their panels, and the way between them."""
