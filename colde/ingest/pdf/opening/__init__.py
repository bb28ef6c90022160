"""Opening a PDF: its catalog, layers that are switched off, and pages whose text cannot be read."""
