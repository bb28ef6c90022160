"""What a score says: the kind of a pair, the expected share of related pairs, the words."""
