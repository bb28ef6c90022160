"""What may be compared: the size of documents, and the names of profiles."""

from __future__ import annotations

from collections.abc import Sequence

from colde import models as registry
from colde.comparison.known_text import MIN_WORDS
from colde.errors import ModelError, ReadError
from colde.judge.profiles import DETECT
from colde.text.chunks import chunk_document, default_tokenizer
from colde.text.document import Chunk, Document
from colde.text.not_compared.set_aside import include_option, set_aside

MAX_SECTIONS = 2_000  # of a document; maps of more take gigabytes, and no page can show them
MAX_SENTENCES = 15_000  # of a document; two of short sentences take two minutes (docs/log/robustness.md)
MAX_CHUNKS = 2_500  # a million word pieces


def check_profile(profile: str, names: Sequence[str]) -> None:
    """Raise ModelError for a profile that does not ship and that none of these models has."""
    known = (DETECT, *registry.profiles(names))
    if profile not in known:
        reason = registry.unusable_profile(profile, names)
        raise ModelError(reason or f"there is no profile named {profile!r}; there are: {', '.join(known)}")


def check_comparable(document: Document) -> None:
    """Raise ReadError for a document that is too short or too large.

    `too_short`: fewer than 20 words; `too_large`: more than 2,000 sections or 15,000 sentences.
    """
    words = document.words()
    if words < MIN_WORDS:
        aside = set_aside(document)
        what = f"{words} words that can be compared; at least {MIN_WORDS} are needed"
        advice = "add text, or check that the file holds more than a title"
        if aside:
            what += f"; set aside: {', '.join(map(str, aside))}"
        if option := include_option(aside):
            advice = f"compare what is set aside, too{option}, or add text"
        raise ReadError(document.source or "the text", "too_short", what, advice)
    sections = sum(1 for _ in document.compared())
    if sections > MAX_SECTIONS:
        raise _too_many(document, sections, "sections", MAX_SECTIONS)
    sentences = sum(1 for _ in document.sentences())
    if sentences > MAX_SENTENCES:
        raise _too_many(document, sentences, "sentences", MAX_SENTENCES)


def chunks_of(document: Document) -> tuple[Chunk, ...]:
    """The chunks of a document; raises ReadError (`too_large`) for more than 2,500."""
    chunks = chunk_document(document, default_tokenizer()).chunks
    if len(chunks) > MAX_CHUNKS:
        raise _too_many(document, len(chunks), "chunks of at most 512 word pieces", MAX_CHUNKS)
    return chunks


def _too_many(document: Document, count: int, what: str, most: int) -> ReadError:
    return ReadError(
        document.source or "the text",
        "too_large",
        f"{count:,} {what}; at most {most:,} can be compared",
        "compare a part of it: leave sections out, or split the file",
    )
