"""Tools for agents: a local server of the Model Context Protocol over standard input and output."""
