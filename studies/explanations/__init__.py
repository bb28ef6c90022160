"""How accurate the explanations are."""
