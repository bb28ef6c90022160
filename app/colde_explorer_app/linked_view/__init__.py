"""The linked view on a page: what it gets, what the reader does in it, and its address."""
