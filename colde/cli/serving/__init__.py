"""Commands that serve others: the explorer, the HTTP service, tools for agents."""
