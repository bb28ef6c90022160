"""What a comparison is made of: documents and their sections, templates, exclusions, encoder, reference."""
