"""The contract of all models, as checks to run on a model; each raises AssertionError where the model breaks it.

from colde.evaluation.model_contract import CHECKS, subject

for check in CHECKS:
    check(subject(model))
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import numpy as np
from scipy import sparse

from colde.corpus.samples import sample_named
from colde.errors import Cancelled
from colde.explain.contribution import MAP_NAMES
from colde.ingest import read_text
from colde.judge.profile_fit import ENOUGH_PAIRS
from colde.models.base import Matcher
from colde.results.encoding import Encoding
from colde.results.pair_result import PairResult
from colde.results.progress import Progress
from colde.results.similarity_map import Form, Level, Role, Scale, Side, SimilarityMap
from colde.row_blocks import limit_cells_per_block
from colde.text.document import Document, Span

TWENTY = "Harbour pilots read tide, wind and swell before they bring a ship over the bar at dawn. They wait, then go."
"""The shortest text that can be compared."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A model under test, with its encodings and result of a sample pair."""

    model: Matcher
    pair: tuple[Document, Document]
    encoded: tuple[Encoding, Encoding]
    result: PairResult

    def score(self, a: Encoding, b: Encoding) -> float:
        return self.model.match(a, b, explain=False).score


def subject(model: Matcher, pair: tuple[Document, Document] | None = None) -> Subject:
    """A model with a pair of documents, by default the beginnings of the first sample pair."""
    pair = sample_pair() if pair is None else pair
    a, b = model.encode(pair)
    return Subject(model, pair, (a, b), model.match(a, b))


@cache
def sample_pair() -> tuple[Document, Document]:
    """The first pages of the first sample pair, about 550 words each; copies of them have no cached encodings."""
    sample = sample_named("lighthouse")
    return _beginning(sample.a, headings=4), _beginning(sample.b, headings=4)


def card_is_complete(s: Subject) -> None:
    """Is a Matcher, explains the document first, and its fitted profiles are whole."""
    assert isinstance(s.model, Matcher), "encode, match, save, card, profiles or parameters are missing"
    assert s.model.card.levels[0] == "document"
    for profile in s.model.profiles.values():
        if profile.calibration is None:
            assert profile.measured.get("pairs", ENOUGH_PAIRS) < ENOUGH_PAIRS, "a calibration is missing"
        else:
            assert profile.calibration.slope > 0
        assert len(profile.quantiles) == 101 and list(profile.quantiles) == sorted(profile.quantiles)


def encoding_is_independent(s: Subject) -> None:
    """An encoding depends neither on what else is encoded with it, nor on the size of blocks."""
    for document, together in zip(s.pair, s.encoded, strict=True):
        with limit_cells_per_block(500):
            (alone,) = s.model.encode([replace(document)])  # another object, so that nothing cached is used
        assert type(alone) is type(together)
        for left, right in zip(_numbers(alone), _numbers(together), strict=True):
            np.testing.assert_allclose(left, right, atol=2e-5)


def batching_changes_nothing(s: Subject) -> None:
    """A short text beside a long one scores as it does by itself."""
    together = s.score(*s.model.encode([read_text(TWENTY), replace(s.pair[0])], explain=False))
    alone = [s.model.encode([d], explain=False)[0] for d in (read_text(TWENTY), replace(s.pair[0]))]
    assert math.isclose(s.score(*alone), together, abs_tol=2e-5)


def symmetric(s: Subject) -> None:
    """Symmetric where the card says so."""
    a, b = s.encoded
    if s.model.card.symmetric:
        assert math.isclose(s.score(a, b), s.score(b, a), abs_tol=1e-6)


def self_similarity_is_highest(s: Subject) -> None:
    """A document scores 1 with itself; a trained probability never saw such a pair and is left out."""
    a, b = s.encoded
    if s.model.card.score_kind != "probability":
        assert math.isclose(s.score(a, a), 1.0, abs_tol=1e-4)
        assert s.score(a, a) > s.score(a, b)


def deterministic(s: Subject) -> None:
    """Two runs give the same number."""
    a, b = s.model.encode([replace(d) for d in s.pair], explain=False)
    assert s.score(a, b) == s.score(*s.encoded)


def maps_are_labelled(s: Subject) -> None:
    """Typed fields tell every map from the others, and the declared levels are there."""
    maps = s.result.maps.values()
    assert {"section", "chunk", "sentence"} & set(s.model.card.levels) <= {m.level for m in maps}
    for m in maps:
        for name, values in _FIELD_VALUES.items():
            assert getattr(m, name) in get_args(values), f"{name} is {getattr(m, name)!r}"
        assert m.meaning.endswith(".") and m.unit
        assert m.scale != "diverging" or m.role == "contribution"
    fields_of_maps = Counter((m.role, m.level, m.side, m.label) for m in maps)
    assert set(fields_of_maps.values()) <= {1}, "two maps that only their names tell apart"


_FIELD_VALUES = {"role": Role, "level": Level, "side": Side, "form": Form, "scale": Scale}


def map_values_are_finite(s: Subject) -> None:
    """Values are float32, finite or NaN, and within limits."""
    for m in s.result.maps.values():
        assert type(m.values) is np.ndarray and m.values.dtype == np.float32
        assert m.values.shape == (len(m.rows), len(m.columns))
        values = m.values[~np.isnan(m.values)]
        assert values.size and np.isfinite(values).all()
        low, high = m.limits or ((-1, 1) if m.kind == "cosine" else (-math.inf, math.inf))
        assert low - 1e-6 <= values.min() and values.max() <= high + 1e-6


def map_values_add_up(s: Subject) -> None:
    """Each row of attention sums to 1; contributions add up to the score."""
    for m in s.result.maps.values():
        if m.kind == "attention":
            np.testing.assert_allclose(m.values.sum(1), 1, atol=1e-4)
        if m.role == "contribution" and m.side == "across":
            assert m.reference is not None and m.residual is not None
            total = float(np.nansum(m.values, dtype=np.float64)) + m.reference + m.residual
            assert math.isclose(total, s.result.score, rel_tol=1e-6, abs_tol=1e-6)


def contributions_nest(s: Subject) -> None:
    """A section's cell is the sum of its chunks' cells, a chunk's of its sentences'; every level says the same."""
    levels = [m for name in MAP_NAMES.values() if (m := s.result.maps.get(name)) is not None]
    for outer, inner in pairwise(levels):
        assert nesting_error(outer, inner) <= 1e-4
        assert outer.reference == inner.reference


def map_spans_lie_in_the_texts(s: Subject) -> None:
    """Spans are passages, in order, of the documents that a map names."""
    documents = dict(zip("ab", s.pair, strict=True))
    for m in s.result.maps.values():
        assert {m.row_side, m.column_side} == ({"a", "b"} if m.side == "across" else {m.side[-1]})
        sides = [(m.rows, documents[m.row_side]), (m.columns, documents[m.column_side])]
        for spans, document in sides:
            assert all(0 <= x.start < x.end <= len(document.text) for x in spans)
            assert all(document.text[x.start : x.end].strip() for x in spans)
            assert all(x.start < y.start for x, y in pairwise(spans))
        if m.form == "weights":
            assert 1 in m.values.shape and m.side != "across"
            assert len(m.weighted) == m.values.size
            sides = [(m.weighted, documents[m.row_side])]
        else:
            assert m.weighted == ()
        for spans, document in sides:
            _check_level(m.level, spans, document)


def _check_level(level: Level, spans: Sequence[Span], document: Document) -> None:
    """Each span of a section is in another section of the document; a word holds no blank."""
    if level == "section":
        sections = {document.section_at(x.start) for x in spans}
        assert None not in sections and len(sections) == len(spans)
    if level == "word":
        assert not any(c.isspace() for x in spans for c in document.text[x.start : x.end])


def reports_coverage(s: Subject) -> None:
    """Coverage names passages exactly where tokens were left out."""
    for e in s.encoded:
        assert 0 < e.coverage.tokens_read <= e.coverage.tokens
        assert bool(e.coverage.unread) == (e.coverage.tokens_read < e.coverage.tokens)


def handles_short_and_long_texts(s: Subject) -> None:
    """The shortest text and one longer than all that a model reads are compared and explained."""
    result = s.model.match(*s.model.encode([read_text(TWENTY), long_document(9)]))
    assert math.isfinite(result.score) and bool(result.maps) == (len(s.model.card.levels) > 1)


def row_blocks_change_nothing(s: Subject) -> None:
    """Results do not depend on how many rows of a matrix are computed at once."""
    with limit_cells_per_block(500):
        same_result(s.model.match(*s.encoded), s.result)


def score_is_the_same_without_explanation(s: Subject) -> None:
    """`explain=False` gives the same score and nothing else."""
    a, b = s.model.encode(s.pair, explain=False)
    for bare in (s.model.match(a, b, explain=False), s.model.match(*s.encoded, explain=False)):
        assert math.isclose(bare.score, s.result.score, abs_tol=2e-6)
        assert not bare.maps
        assert bare.coverage_a == s.result.coverage_a


def saves_and_loads(s: Subject) -> None:
    """A checkpoint is JSON and safetensors, and gives the same model again."""
    with tempfile.TemporaryDirectory() as folder:
        copy_in = Path(folder) / "copy"
        s.model.save(copy_in)
        assert not [p for p in copy_in.iterdir() if p.suffix not in {".json", ".safetensors"}]
        copy = type(s.model).load(copy_in, s.model.card)  # type: ignore[attr-defined]
    assert copy.profiles.keys() == s.model.profiles.keys()
    again = copy.match(*s.encoded, explain=False).score
    assert math.isclose(again, s.result.score, abs_tol=1e-6)
    fresh = copy.encode([replace(e.document) for e in s.encoded], explain=False)
    assert math.isclose(copy.match(*fresh, explain=False).score, s.result.score, abs_tol=1e-3)


def reports_progress_and_cancels(s: Subject) -> None:
    """Progress is reported, and raising Cancelled in it stops the work."""
    seen: list[Progress] = []
    s.model.encode([read_text(TWENTY)], on_progress=seen.append)
    assert seen and all(0 <= p.done <= p.total for p in seen)

    def stop(progress: Progress) -> None:
        raise Cancelled

    try:
        s.model.encode([read_text(TWENTY), read_text(TWENTY)], on_progress=stop)
    except Cancelled:
        return
    raise AssertionError("Cancelled in on_progress did not stop the work")


Check = Callable[[Subject], None]
CHECKS: tuple[Check, ...] = (
    card_is_complete,
    encoding_is_independent,
    batching_changes_nothing,
    symmetric,
    self_similarity_is_highest,
    deterministic,
    maps_are_labelled,
    map_values_are_finite,
    map_values_add_up,
    contributions_nest,
    map_spans_lie_in_the_texts,
    reports_coverage,
    handles_short_and_long_texts,
    row_blocks_change_nothing,
    score_is_the_same_without_explanation,
    saves_and_loads,
    reports_progress_and_cancels,
)
"""Every check, cheap ones first."""


def same_result(result: PairResult, expected: PairResult) -> None:
    """Two results for one pair have the same score and maps, up to rounding."""
    assert math.isclose(result.score, expected.score, abs_tol=2e-5)
    assert result.maps.keys() == expected.maps.keys()
    for name, one in expected.maps.items():
        other = result.maps[name]
        assert (other.rows, other.columns) == (one.rows, one.columns)
        np.testing.assert_allclose(other.values, one.values, atol=5e-5, err_msg=name)


@cache
def long_document(chunks: int) -> Document:
    """A document of at least `chunks` chunks of 512 tokens, with two headings and 100 different sentences."""
    numbers = (n % 800 for n in range(chunks * 82))
    words = [f"keel{i % 97} mast{i % 31} tide{i % 13}" for i in numbers]  # 6.4 tokens each
    sentences = [" ".join(words[i : i + 8]) + "." for i in range(0, len(words), 8)]
    half = len(sentences) // 2
    return read_text("# One\n\n" + " ".join(sentences[:half]) + "\n\n# Two\n\n" + " ".join(sentences[half:]))


def _beginning(path: Path, headings: int) -> Document:
    """The first `headings` sections of a Markdown file."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.startswith("#")]
    return read_text("".join(lines[: starts[headings]]))


def _numbers(value: Any) -> Iterator[np.ndarray]:
    """Every array in a dataclass, a mapping or a tuple, in the order of its fields."""
    if isinstance(value, np.ndarray):
        yield value
    elif sparse.issparse(value):
        yield value.toarray()
    elif is_dataclass(value) and not isinstance(value, Document | type):
        for field in fields(value):
            yield from _numbers(getattr(value, field.name))
    elif isinstance(value, dict):
        for name in sorted(value):
            yield from _numbers(value[name])
    elif isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)


def nesting_error(outer: SimilarityMap, inner: SimilarityMap) -> float:
    """The greatest difference between a cell of `outer` and the sum of the cells of `inner` that begin inside it."""
    rows, columns = (
        np.searchsorted([s.start for s in around], [s.start for s in inside], side="right") - 1
        for around, inside in ((outer.rows, inner.rows), (outer.columns, inner.columns))
    )
    summed = np.zeros(outer.values.shape)
    np.add.at(summed, (rows[:, None], columns[None]), inner.values)
    return float(np.abs(summed - outer.values).max(initial=0.0))
