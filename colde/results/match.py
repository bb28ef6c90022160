"""The name of `colde.results.passage` until the page imports that."""

from colde.results.passage import Passage

__all__ = ["Passage"]
