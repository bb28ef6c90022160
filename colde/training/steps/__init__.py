"""The steps of a training, whatever the model: objective, optimiser, loop, stopping, the saved run."""
