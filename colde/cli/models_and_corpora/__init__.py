"""Commands of models and corpora: list, make, train, fit, score and measure."""
