"""Where an index lies: in a folder, or on object storage with a lock of its own."""
