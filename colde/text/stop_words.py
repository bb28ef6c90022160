"""Stop words of a language, from spaCy's lists, without the second that importing spaCy takes."""

from __future__ import annotations

import runpy
from functools import lru_cache

from colde.text.spacy_files import language_file


@lru_cache(maxsize=8)
def stop_words(language: str) -> frozenset[str]:
    """Stop words as spaCy lists them; none for a language that it does not know.

    Args:
        language: ISO 639-1 code.
    """
    file = language_file(language, "stop_words.py")
    return frozenset(runpy.run_path(str(file))["STOP_WORDS"]) if file else frozenset()
