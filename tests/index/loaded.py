"""What a program that reads documents loads as it begins, for the one whose forks need not: see `adding`."""

from colde.ingest import parsing as parsing
from colde.ingest.shared.language_detection import load_identifier

load_identifier()
