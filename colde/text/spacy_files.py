"""Files of spaCy about a language, found without the seconds that importing spaCy takes."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def language_file(language: str, name: str) -> Path | None:
    """A file of spaCy's folder for a language; None where there is none.

    Args:
        language: ISO 639-1 code.
        name: such as `stop_words.py`.
    """
    spec = find_spec("spacy")
    if spec is None or spec.origin is None or not language.isalpha():
        return None
    file = Path(spec.origin).parent / "lang" / language / name
    return file if file.is_file() else None
