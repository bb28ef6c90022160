"""Scores for a table of pairs; documents are encoded once, in blocks, in the order of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from colde.corpus.corpus_folder import read_records
from colde.errors import CorpusError
from colde.models.base import Matcher
from colde.results.encoding import Encoding
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document

BLOCK = 64


def score_pairs(
    matcher_for: Callable[[tuple[str, str]], Matcher],
    document: Callable[[str], Document],
    pairs: Sequence[tuple[str, str]],
    *,
    block: int = BLOCK,
    on_progress: OnProgress | None = None,
) -> Iterator[float]:
    """The score of each pair, in order, as soon as its documents are encoded.

    A document is encoded before its first pair and dropped after its last. So a long table gives its first scores early
    and holds few encodings.

    Args:
        matcher_for: the model for a pair of ids, whose documents were made before.
        document: the Document of an id, called once for each.
        pairs: ids of source and target.
        block: approximate number of documents encoded in one call.
    """
    for matcher, a, b in encoded_pairs(matcher_for, document, pairs, block=block, on_progress=on_progress):
        yield matcher.match(a, b, explain=False).score


def encoded_pairs(
    matcher_for: Callable[[tuple[str, str]], Matcher],
    document: Callable[[str], Document],
    pairs: Sequence[tuple[str, str]],
    *,
    block: int = BLOCK,
    on_progress: OnProgress | None = None,
) -> Iterator[tuple[Matcher, Encoding, Encoding]]:
    """The model and the encodings of each pair, in order; arguments as in `score_pairs`."""
    uses = Counter(name for pair in pairs for name in pair)
    total, done = len(uses), 0
    documents: dict[str, Document] = {}
    encodings: dict[str, dict[Matcher, Encoding]] = {}
    for group in _blocks(pairs, block):
        for name in dict.fromkeys(n for pair in group for n in pair):
            if name not in documents:
                documents[name], encodings[name] = document(name), {}
                done += 1
        matchers = [matcher_for(pair) for pair in group]
        _encode_missing(group, matchers, documents, encodings)
        for (a, b), matcher in zip(group, matchers, strict=True):
            yield matcher, encodings[a][matcher], encodings[b][matcher]
            for name in (a, b):
                uses[name] -= 1
                if not uses[name]:
                    documents.pop(name, None)
                    encodings.pop(name, None)
        if on_progress is not None:
            on_progress(Progress(Stage.ENCODING, done, total, subject=f"with {matchers[0].card.title}"))


def _encode_missing(
    group: Sequence[tuple[str, str]],
    matchers: Sequence[Matcher],
    documents: Mapping[str, Document],
    encodings: Mapping[str, dict[Matcher, Encoding]],
) -> None:
    """Encode the documents of these pairs by the model of each pair, where that has not been done."""
    for matcher in dict.fromkeys(matchers):
        named = (n for pair, m in zip(group, matchers, strict=True) if m is matcher for n in pair)
        new = [name for name in dict.fromkeys(named) if matcher not in encodings[name]]
        encoded = matcher.encode([documents[name] for name in new], explain=False)
        for name, encoding in zip(new, encoded, strict=True):
            encodings[name][matcher] = encoding


def _blocks(pairs: Sequence[tuple[str, str]], block: int) -> Iterator[list[tuple[str, str]]]:
    """Consecutive pairs in groups, each with about `block` documents that are new."""
    seen: set[str] = set()
    group: list[tuple[str, str]] = []
    new = 0
    for pair in pairs:
        group.append(pair)
        fresh = set(pair) - seen
        seen |= fresh
        new += len(fresh)
        if new >= block:
            yield group
            group, new = [], 0
    if group:
        yield group


def records_of(corpus: Path, pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """The corpus records that the pairs name, by id.

    Raises:
        CorpusError: the corpus cannot be read, or lacks one of the documents.
    """
    wanted = {name: None for pair in pairs for name in pair}
    wanted_records = {name: record for name, record in read_records(corpus) if name in wanted}
    missing = [name for name in wanted if name not in wanted_records]
    if missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise CorpusError(f"{corpus} has no document {missing[0]!r}{more} that the pairs name")
    return wanted_records
