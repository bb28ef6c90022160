"""The report of a comparison as a page, and the content of its linked view."""
