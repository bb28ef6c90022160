"""Running an encoder, and what is known of the documents it has seen."""
