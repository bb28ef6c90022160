"""Networks and pooling that several models use."""
