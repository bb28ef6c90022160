"""The grammar of English sentences by spaCy: words with lemma, tag, head, and named entities.

The pipeline, `en_core_web_sm` from the package index, is loaded when the first sentence is read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from threading import Lock
from typing import Any, TypeAlias

from colde.encoders.cancellation import poll_cancel
from colde.packaged_files import ENGLISH_GRAMMAR, check

Doc: TypeAlias = Any  # spacy.tokens.Doc: importing spaCy takes a second
Token: TypeAlias = Any

BATCH = 64  # sentences
KEPT = 4_096  # sentences whose grammar is kept
MOST_CHARACTERS = 2_000
"""Longer sentences, such as lists without full stops, are cut here."""

_read: OrderedDict[str, Doc] = OrderedDict()
_lock = Lock()


def read_sentences(sentences: Sequence[str], language: str = "en") -> list[Doc]:
    """The grammar of each sentence; in another language than English its words alone.

    >>> [(word.lemma_, word.dep_) for word in read_sentences(["The dogs barked."])[0]][1:3]
    [('dog', 'nsubj'), ('bark', 'ROOT')]
    """
    if language != "en":
        return list(_tokenizer(language).pipe(sentences))
    with _lock:  # a pipeline is not made for two threads
        new = [text for text in dict.fromkeys(sentences) if text not in _read]
        shown = (" ".join(text[:MOST_CHARACTERS].replace("’", "'").split("\n")) for text in _cancellable(new))
        known = {text: _read[text] for text in sentences if text in _read}
        if new:
            known |= zip(new, _pipeline().pipe(shown, batch_size=BATCH), strict=True)
        for text, doc in known.items():
            _read[text] = doc
            _read.move_to_end(text)
        while len(_read) > KEPT:
            _read.popitem(last=False)
    return [known[text] for text in sentences]


def _cancellable(texts: Iterable[str]) -> Iterator[str]:
    """The texts, with a cancellation check before each: thousands of sentences take many seconds."""
    for text in texts:
        poll_cancel()
        yield text


@lru_cache(maxsize=4)
def _tokenizer(language: str) -> Any:
    import spacy

    try:
        return spacy.blank(language)
    except (ImportError, ValueError):  # spaCy does not know it, or needs a further library
        return spacy.blank("xx")


@lru_cache(maxsize=1)
def _pipeline() -> Any:
    check(ENGLISH_GRAMMAR)
    return import_module(ENGLISH_GRAMMAR.module).load(exclude=["senter"])
