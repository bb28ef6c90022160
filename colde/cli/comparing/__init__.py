"""Commands that read documents and compare them."""
