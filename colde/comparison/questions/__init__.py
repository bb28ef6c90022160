"""Questions about a finished comparison, which run its models again."""
