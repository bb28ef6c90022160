"""The program as an HTTP service: read, compare, what-if and search, for other programs (docs/guides/server.md)."""
