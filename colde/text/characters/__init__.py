"""Characters that mean the same or look alike, and warnings of them."""
