"""A document as it is searched for passages, with its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from colde.alignment.shared_runs import ComparedWords, compared_words
from colde.passages.sentence_words import SentenceWords
from colde.passages.standard_text import standard_spans
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import searched_text
from colde.text.not_compared.set_aside import excluded_spans


@dataclass(frozen=True)
class PassageText:
    """A document with its standard text; its words are counted once for many searches.

    Attributes:
        document: with standard text among the compared sections.
        standard: the sections of standard text.
    """

    document: Document
    standard: tuple[Span, ...]

    @classmethod
    def of(cls, document: Document) -> PassageText:
        """A document as it is compared."""
        return cls(searched_text(document), standard_spans(document))

    @cached_property
    def words(self) -> ComparedWords:
        """The compared words."""
        return compared_words(self.document)

    @cached_property
    def sentences(self) -> SentenceWords:
        """The words by sentence."""
        return SentenceWords.of(self.document)

    @cached_property
    def quoted(self) -> list[Span]:
        """The quotations."""
        return excluded_spans(self.document, ("quotes",))
