"""What files hold beside the results: documents, the record, the review, how much of the maps."""
