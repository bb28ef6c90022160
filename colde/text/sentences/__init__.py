"""Where sentences end, and sentences of special kinds."""
