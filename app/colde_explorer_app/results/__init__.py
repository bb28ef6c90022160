"""What the page Compare shows of a result beside the linked view, and its downloads."""
