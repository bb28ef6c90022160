"""What a session holds: documents, jobs and their results, limits, reviews, files to download."""
