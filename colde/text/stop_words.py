"""Stop words of a language, from spaCy's lists, without the second that importing spaCy takes."""

from __future__ import annotations

import runpy
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path


@lru_cache(maxsize=8)
def stop_words(language: str) -> frozenset[str]:
    """Stop words as spaCy lists them; none for a language that it does not know.

    Args:
        language: ISO 639-1 code.
    """
    spec = find_spec("spacy")
    if spec is None or spec.origin is None or not language.isalpha():
        return frozenset()
    file = Path(spec.origin).parent / "lang" / language / "stop_words.py"
    return frozenset(runpy.run_path(str(file))["STOP_WORDS"]) if file.is_file() else frozenset()
