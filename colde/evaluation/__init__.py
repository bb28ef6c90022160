"""How good a model is: measures, and scores for tables of pairs."""
