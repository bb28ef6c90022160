"""Texts, pictures and small components that several pages show."""
