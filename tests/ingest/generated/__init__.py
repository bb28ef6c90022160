"""Documents of every format from one small tree of blocks."""
