"""Are the passages that two texts share found whole, and nothing else?"""
