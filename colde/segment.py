"""From text to sentences, and from a document to the parts of the studies (n_p sections)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from colde.document import Span

if TYPE_CHECKING:
    from spacy.language import Language


@lru_cache(maxsize=8)
def _pipeline(language: str) -> Language:
    import spacy

    try:
        nlp = spacy.blank(language)
    except ImportError:
        nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    nlp.max_length = 10_000_000
    return nlp


def split_sentences(text: str, language: str | None = None) -> list[Span]:
    """Sentences of one block of text, as spans without surrounding white space, in order.

    Args:
        text: a paragraph, of any length.
        language: ISO 639-1 code; English where None.
    """
    spans = []
    for sentence in _pipeline(language or "en")(text).sents:
        start, end = sentence.start_char, sentence.end_char
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if end > start:
            spans.append(Span(start, end))
    return spans
