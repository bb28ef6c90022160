"""Loads what reading a document needs, once for all forks of the program that imports this (`tests/forks.py`)."""

from colde.ingest import parsing as parsing
from colde.ingest.shared.language_detection import load_identifier

load_identifier()
