"""Lists of words: stop words from spaCy's lists, read without the second that importing spaCy takes."""

from __future__ import annotations

import runpy
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path


def words(text: str) -> frozenset[str]:
    """The words of a string, as a set to look in."""
    return frozenset(text.split())


@lru_cache(maxsize=8)
def stop_words(language: str) -> frozenset[str]:
    """Stop words as spaCy lists them; none for a language that it does not know.

    Args:
        language: ISO 639-1 code.
    """
    file = language_file(language, "stop_words.py")
    return frozenset(runpy.run_path(str(file))["STOP_WORDS"]) if file else frozenset()


def language_file(language: str, name: str) -> Path | None:
    """A file of spaCy's folder for a language, such as `stop_words.py`; None where there is none."""
    spec = find_spec("spacy")
    if spec is None or spec.origin is None or not language.isalpha():
        return None
    file = Path(spec.origin).parent / "lang" / language / name
    return file if file.is_file() else None
