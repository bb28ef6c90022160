"""Scores for a table of pairs; documents are encoded once, in blocks, in the order of the table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from colde.corpus.corpus_folder import read_records
from colde.errors import CorpusError, ReadError, skip_document
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
    skipped: list[ReadError] | None = None,
) -> Iterator[float]:
    """The score of each pair, in order, as soon as its documents are encoded; NaN where it has none.

    A document is encoded before its first pair and dropped after its last. So a long table gives its first scores early
    and holds few encodings.

    Args:
        matcher_for: the model for a pair of ids, whose documents were made before.
        document: the Document of an id, called once for each.
        pairs: ids of source and target.
        block: approximate number of documents encoded in one call.
        skipped: gets the errors of documents that cannot be made, encoded or matched, whose pairs have no score;
            without such a list an error ends the scoring.
    """
    encoded = _encoded_pairs(
        matcher_for, document, pairs, block=block, on_progress=on_progress, skipped=skipped
    )
    for pair, ready in zip(pairs, encoded, strict=True):
        score = math.nan
        if ready is not None:
            matcher, a, b = ready
            with _skipping(" and ".join(pair), skipped):
                score = matcher.match(a, b, explain=False).score
        yield score


def _skipping(name: str, skipped: list[ReadError] | None) -> AbstractContextManager[None]:
    return nullcontext() if skipped is None else skip_document(name, skipped)


def _encoded_pairs(
    matcher_for: Callable[[tuple[str, str]], Matcher],
    document: Callable[[str], Document],
    pairs: Sequence[tuple[str, str]],
    *,
    block: int = BLOCK,
    on_progress: OnProgress | None = None,
    skipped: list[ReadError] | None = None,
) -> Iterator[tuple[Matcher, Encoding, Encoding] | None]:
    """The model and the encodings of each pair, in order; None where a document failed.

    Arguments as in `score_pairs`.
    """
    uses = Counter(name for pair in pairs for name in pair)
    total, done = len(uses), 0
    documents: dict[str, Document] = {}
    encodings: dict[str, dict[Matcher, Encoding]] = {}
    for group in _blocks(pairs, block):
        for name in dict.fromkeys(n for pair in group for n in pair):
            if name not in encodings:
                encodings[name] = {}
                with _skipping(name, skipped):
                    documents[name] = document(name)
                done += 1
        ready = [pair for pair in group if documents.keys() >= set(pair)]
        matchers = {pair: matcher_for(pair) for pair in ready}
        _encode_missing(matchers, documents, encodings, skipped)
        for pair in group:
            matcher = matchers.get(pair)
            a, b = (encodings[name].get(matcher) if matcher is not None else None for name in pair)
            yield None if matcher is None or a is None or b is None else (matcher, a, b)
            for name in pair:
                uses[name] -= 1
                if not uses[name]:
                    documents.pop(name, None)
                    encodings.pop(name, None)
        if on_progress is not None and matchers:
            title = next(iter(matchers.values())).card.title
            on_progress(Progress(Stage.ENCODING, done, total, subject=f"with {title}"))


def _encode_missing(
    matchers: Mapping[tuple[str, str], Matcher],
    documents: Mapping[str, Document],
    encodings: Mapping[str, dict[Matcher, Encoding]],
    skipped: list[ReadError] | None,
) -> None:
    """Encode the documents of these pairs by the model of each pair, where that has not been done.

    Where a block fails, its documents are encoded one by one.
    """
    for matcher in dict.fromkeys(matchers.values()):
        named = (name for pair, m in matchers.items() if m is matcher for name in pair)
        new = [name for name in dict.fromkeys(named) if matcher not in encodings[name]]
        failed: list[ReadError] = []
        with _skipping("", None if skipped is None else failed):
            encoded = matcher.encode([documents[name] for name in new], explain=False)
            for name, encoding in zip(new, encoded, strict=True):
                encodings[name][matcher] = encoding
        for name in new if failed else ():
            with _skipping(name, skipped):
                (encodings[name][matcher],) = matcher.encode([documents[name]], explain=False)


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
