"""Text that is not compared, how it is recognised, and how much of it there is."""
