"""Charts that Plotly draws, and their colours."""
