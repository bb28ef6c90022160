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
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document

BLOCK = 64


def match_pairs(
    matcher_for: Callable[[tuple[str, str]], Matcher],
    document: Callable[[str], Document],
    pairs: Sequence[tuple[str, str]],
    *,
    block: int = BLOCK,
    on_progress: OnProgress | None = None,
    skipped: list[ReadError] | None = None,
) -> Iterator[PairResult | None]:
    """The score of each pair, in order, as soon as its documents are encoded; None where it has none.

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
        result = None
        if ready is not None:
            matcher, a, b = ready
            with _skipping(" and ".join(pair), skipped):
                result = matcher.match(a, b, explain=False)
        yield result


def score_or_nan(result: PairResult | None) -> float:
    """The score of a result; NaN where there is none."""
    return math.nan if result is None else result.score


def _skipping(name: str, skipped: list[ReadError] | None) -> AbstractContextManager[None]:
    return nullcontext() if skipped is None else skip_document(name, skipped)


class _EncodedDocuments:
    """The documents of the pairs that are to come, with their encodings by each model.

    A document that cannot be made, or encoded, is missing there.
    """

    def __init__(
        self,
        document: Callable[[str], Document],
        pairs: Sequence[tuple[str, str]],
        skipped: list[ReadError] | None,
    ) -> None:
        self._document, self._skipped = document, skipped
        self._uses = Counter(name for pair in pairs for name in pair)
        self.documents: dict[str, Document] = {}
        self._encodings: dict[str, dict[Matcher, Encoding]] = {}

    def make(self, names: Iterable[str]) -> int:
        """Make the documents that are new; returns how many there were to make."""
        new = [name for name in dict.fromkeys(names) if name not in self._encodings]
        for name in new:
            self._encodings[name] = {}
            with _skipping(name, self._skipped):
                self.documents[name] = self._document(name)
        return len(new)

    def encode(self, matchers: Mapping[tuple[str, str], Matcher]) -> None:
        """Encode the documents of pairs by the model of each, where that has not been done.

        Where a block fails, its documents are encoded one by one.
        """
        for matcher in dict.fromkeys(matchers.values()):
            named = (name for pair, m in matchers.items() if m is matcher for name in pair)
            new = [name for name in dict.fromkeys(named) if matcher not in self._encodings[name]]
            failed: list[ReadError] | None = None if self._skipped is None else []
            with _skipping("", failed):
                self._encode(matcher, new)
            for name in new if failed else ():
                with _skipping(name, self._skipped):
                    self._encode(matcher, [name])

    def _encode(self, matcher: Matcher, names: Sequence[str]) -> None:
        encoded = matcher.encode([self.documents[name] for name in names], explain=False)
        for name, encoding in zip(names, encoded, strict=True):
            self._encodings[name][matcher] = encoding

    def take(self, pair: tuple[str, str], matcher: Matcher | None) -> tuple[Encoding, ...]:
        """The encodings of a pair, of those that there are; documents without a later pair are dropped."""
        encodings = [self._encodings[name] for name in pair]
        for name in pair:
            self._uses[name] -= 1
            if not self._uses[name]:
                self.documents.pop(name, None)
                self._encodings.pop(name, None)
        return tuple(e[matcher] for e in encodings if matcher is not None and matcher in e)


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

    Arguments as in `match_pairs`.
    """
    encoded = _EncodedDocuments(document, pairs, skipped)
    total, done = len({name for pair in pairs for name in pair}), 0
    for group in _blocks(pairs, block):
        done += encoded.make(name for pair in group for name in pair)
        matchers = {pair: matcher_for(pair) for pair in group if encoded.documents.keys() >= set(pair)}
        encoded.encode(matchers)
        for pair in group:
            matcher = matchers.get(pair)
            encodings = encoded.take(pair, matcher)
            yield (matcher, *encodings) if matcher is not None and len(encodings) == 2 else None
        if on_progress is not None and matchers:
            title = next(iter(matchers.values())).card.title
            on_progress(Progress(Stage.ENCODING, done, total, subject=f"with {title}"))


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
