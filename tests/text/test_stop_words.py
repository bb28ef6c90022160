"""Stop words are spaCy's, for every language that it has."""

from __future__ import annotations

import pytest
from spacy.util import get_lang_class

from colde.text.word_lists.stop_words import stop_words


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", "zh"])
def test_they_are_those_of_spacy(language: str) -> None:
    assert stop_words(language) == get_lang_class(language).Defaults.stop_words


@pytest.mark.parametrize("language", ["qq", "xx", "../en", "en-US", ""])
def test_a_language_without_a_list_has_none(language: str) -> None:
    assert stop_words(language) == frozenset()
