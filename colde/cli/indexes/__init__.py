"""Commands of an index: keep documents in it, search it, encode a corpus into it."""
