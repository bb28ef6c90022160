"""Whether a report agrees with its files, and with the same comparison made again."""
