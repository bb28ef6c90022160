"""What a page draws: objects, lines, boxes and pixels, and the ink of its words."""
