"""Words of a page from its characters, without those that nobody sees."""
