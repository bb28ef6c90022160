"""Abbreviations are spaCy's, for every language that it has, and no file needs spaCy to be read."""

from __future__ import annotations

import subprocess
import sys

import pytest
from spacy.lang.tokenizer_exceptions import BASE_EXCEPTIONS
from spacy.util import get_lang_class

from colde.text.sentences.abbreviations import abbreviations


@pytest.mark.parametrize("language", ["de", "es", "fr", "hu", "it", "pt"])
def test_all_abbreviations_of_spacy_are_known(language: str) -> None:
    exceptions = get_lang_class(language).Defaults.tokenizer_exceptions
    words = {w for w in exceptions if w.endswith(".") and len(exceptions[w]) == 1 and len(w.split()) == 1}
    listed = {word for word in words - set(BASE_EXCEPTIONS) if any(map(str.isalpha, word))}
    assert listed and listed <= abbreviations(language)


@pytest.mark.parametrize("language", ["qq", "xx", "../en", ""])
def test_a_language_without_a_list_has_none(language: str) -> None:
    assert abbreviations(language) == frozenset()


@pytest.mark.parametrize(
    "text", ["It rained. Lt. Reed left.", "Il pleuvait. M. Petit est parti. Personne ne le savait."]
)
def test_reading_does_not_import_spacy(text: str) -> None:
    code = f"""
import sys
from colde.ingest import parsing
from colde.ingest.reading_limits import Limits
parsing.parse({text!r}.encode(), "a.txt", None, Limits())
print("spacy" in sys.modules, "torch" in sys.modules)
"""
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False False"
