"""Hierarchical networks, SMASH RNN and HAN: words in sentences in paragraphs, and the attention of each level."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from colde.encoders.vectors import cosines, normalised
from colde.errors import ModelError
from colde.explain.contribution import Units, default_units
from colde.explain.greedy_pairs import cell_evidence
from colde.explain.passages import match_by_words
from colde.models.baseline import BiEncoder, BiEncoderMatcher, Explanation, ProjectedWords
from colde.models.hierarchical_parts import sentence_parts, sentence_shares
from colde.models.integrated import VectorParts
from colde.models.recurrent import Hierarchy, LevelOutput
from colde.models.tokenized import (
    DocumentTokens,
    Ints,
    ModelInput,
    VectorEncoding,
    as_float,
    document_tokens,
    group_spans,
    vector_encoding,
    word_starts,
)
from colde.results.encoding import Encoding, encoded_as
from colde.results.evidence import Evidence
from colde.results.maps import Array, Side, SimilarityMap, sides
from colde.results.score import Coverage
from colde.text.document import Document, Span
from colde.text.term_weights import Counts

Unit = Literal["word", "sentence", "paragraph"]
UNITS: tuple[Unit, ...] = ("word", "sentence", "paragraph")
DEPTHS = {"p": 3, "s": 2, "w": 1}
"""Hierarchy → its levels (SMASH, 3.1): words in sentences in paragraphs, words in sentences, words alone."""
MOST_EVIDENCE = 10
SHORTEST = 5  # words; shorter sentences match anything

SENTENCE_MEANING = (
    "Sentences: the cosine of the vectors that {title} makes of single sentences, less what both documents have in "
    "common. High where it takes two sentences alike; the score itself is made of whole documents."
)
PARAGRAPH_MEANING = (
    "Paragraphs: the cosine of the vectors that {title} makes of single paragraphs, less what both documents have in "
    "common. High where it takes two paragraphs alike; the score itself is made of whole documents."
)
ATTENTION_MEANING = (
    "Attention of {title} over the {unit}s of one document, from its {hierarchy} hierarchy: the share of its attention "
    "that each {unit} gets (all {unit}s sum to 1). It shows where the model looked, not what made the score{part}."
)
HIERARCHIES = {"p": "paragraph", "s": "sentence", "w": "word"}


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much of a document is read, and in which pieces; the papers read all of it (SMASH) or say nothing.

    Attributes:
        tokens: word pieces, by whole sentences.
        words: word pieces of the word hierarchy, a single sequence of that many steps.
        sentence: word pieces; a longer sentence is cut into several.
        run: sentences of a paragraph where the document knows no paragraphs.
    """

    tokens: int = 2048
    words: int = 512
    sentence: int = 128
    run: int = 5


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyText(ModelInput):
    """Word pieces in sentences in paragraphs; a heading is the first sentence of the paragraph after it.

    Attributes:
        sentences: [sentences], number of word pieces in each.
        paragraphs: [paragraphs], number of sentences in each.
        extent: [2], the code point where reading ended, and the word pieces of the whole document.
    """

    sentences: Ints
    paragraphs: Ints
    extent: Ints


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """Where the pieces of a `HierarchyText` stand in the document's text.

    Attributes:
        word_of: [tokens], the word each word piece belongs to.
        words, sentences, paragraphs: their spans, in reading order.
    """

    word_of: NDArray[np.int64]
    words: tuple[Span, ...]
    sentences: tuple[Span, ...]
    paragraphs: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HierarchyEncoding(VectorEncoding):
    """A document with the vectors and the attention of its levels.

    Attributes:
        places: the spans of all units.
        attention: by hierarchy and unit, [units read], shares of the whole document that sum to one.
        sentence_vectors: [sentences read, 2 · hidden].
        paragraph_vectors: [paragraphs read, 2 · hidden], or None without a paragraph hierarchy.
        parts: what each sentence read brings to the vector.
        units: the passages of the document, read or not.
        shares: [units, sentences read], how the sentences as they were read are spread over the units.
    """

    places: TokenSpans
    attention: Mapping[tuple[str, Unit], Array]
    sentence_vectors: Array
    parts: VectorParts
    units: Units
    shares: Counts
    paragraph_vectors: Array | None = None


def read_text(document: Document, tokens: DocumentTokens, limits: ReadingLimits) -> HierarchyText:
    """Take the first sentences that fit into `limits.tokens`."""
    starts = _sentence_starts(tokens, limits.sentence)
    lengths = np.diff(np.append(starts, len(tokens)))
    fitting = int(np.searchsorted(np.cumsum(lengths), limits.tokens, side="right"))
    lengths = lengths[:fitting]
    count = int(lengths.sum())
    paragraph = _paragraph_of(document, tokens, starts[:fitting], limits.run)
    return HierarchyText(
        ids=tokens.ids[:count],
        sentences=lengths.astype(np.int32),
        paragraphs=np.unique(paragraph, return_counts=True)[1].astype(np.int32),
        extent=np.array([tokens.ends[count - 1] if count else 0, len(tokens)], dtype=np.int32),
    )


def reading_to(document: Document, text: HierarchyText) -> Coverage:
    """Coverage of the first `len(ids)` word pieces; the rest of each section was not read."""
    end, total = (int(x) for x in text.extent)
    if len(text.ids) == total:
        return Coverage(total, total)
    unread = []
    for _, section in document.compared():
        rest = document.text[max(end, section.start) : section.end]
        if rest.strip():
            unread.append(Span(max(end, section.start) + len(rest) - len(rest.lstrip()), section.end))
    return Coverage(len(text.ids), total, tuple(unread))


def _sentence_starts(tokens: DocumentTokens, longest: int) -> NDArray[np.int64]:
    """First token of each sentence, heading, or piece of a sentence that is longer than `longest`."""
    if not len(tokens):
        return np.zeros(0, np.int64)
    new = np.ones(len(tokens), dtype=bool)
    new[1:] = (np.diff(tokens.sentence) != 0) | (np.diff(tokens.section) != 0)
    starts = np.flatnonzero(new)
    within = np.arange(len(tokens)) - np.repeat(starts, np.diff(np.append(starts, len(tokens))))
    return np.flatnonzero(within % longest == 0)


def _paragraph_of(
    document: Document, tokens: DocumentTokens, starts: NDArray[np.int64], run: int
) -> NDArray[np.int64]:
    """A number for the paragraph of each sentence, rising: [sentences]."""
    found = np.zeros(len(starts), np.int64)
    section_of = tokens.section[starts]
    offset = 0
    for index in np.unique(section_of):
        here = np.flatnonzero(section_of == index)
        paragraphs = document.sections[index].paragraphs
        if paragraphs:
            begin = np.array([p.start for p in paragraphs])
            inner = np.maximum(np.searchsorted(begin, tokens.starts[starts[here]], side="right") - 1, 0)
        else:
            inner = np.arange(len(here)) // run
        found[here] = offset + inner
        offset += int(inner.max()) + 1
    return found


def token_spans(document: Document, tokens: DocumentTokens, text: HierarchyText) -> TokenSpans:
    """Spans of the words, sentences and paragraphs that `read_text` has taken."""
    count = len(text.ids)
    starts, ends = tokens.starts[:count], tokens.ends[:count]
    first = np.cumsum(text.sentences) - text.sentences
    paragraph = np.cumsum(text.paragraphs) - text.paragraphs
    new = word_starts(document.text, starts, ends)
    new[first] = True
    return TokenSpans(
        np.cumsum(new) - 1,
        group_spans(starts, ends, np.flatnonzero(new)),
        group_spans(starts, ends, first),
        group_spans(starts, ends, first[paragraph]),
    )


class HierarchicalNetwork(BiEncoder[Tensor]):
    """One attention-based recurrent network a hierarchy over the same word vectors; d = [d^p; d^s; d^w] (3.3)."""

    kind: ClassVar[type[ModelInput]] = HierarchyText

    def __init__(
        self,
        hierarchies: Sequence[str],
        *,
        words: int,
        hidden: int,
        attention: int,
        dropout: float,
        limits: ReadingLimits,
    ) -> None:
        super().__init__()
        if not {"p", "s"} & set(hierarchies) or not set(hierarchies) <= set(DEPTHS):
            raise ModelError(
                f"hierarchies are of p, s and w, with p or s among them; got {list(hierarchies)}"
            )
        self.limits = limits
        self.dimension = 2 * hidden * len(hierarchies)
        self.words = ProjectedWords(words)
        self.words.centre()
        self.dropout = nn.Dropout(dropout)
        self.hierarchies = nn.ModuleDict(
            {h: Hierarchy(words, hidden, attention, DEPTHS[h]) for h in DEPTHS if h in hierarchies}
        )

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> HierarchyText:
        tokens = document_tokens(document) if tokens is None else tokens
        return read_text(document, tokens, self.limits)

    def levels(self, documents: Sequence[ModelInput]) -> dict[str, list[LevelOutput]]:
        """Every level of every hierarchy, lowest first, the documents' items one after the other."""
        texts = [_checked(d) for d in documents]
        ids = torch.from_numpy(np.concatenate([t.ids for t in texts])).long().to(self.device)
        unique, where = torch.unique(ids, return_inverse=True)
        table = self.dropout(self.words(unique))  # a word piece that occurs twice is projected once
        sentences = _lengths(np.concatenate([t.sentences for t in texts]))
        paragraphs = _lengths(np.concatenate([t.paragraphs for t in texts]))
        found = {}
        for name, hierarchy in self.hierarchies.items():
            words = where
            if name == "p":
                lengths = [sentences, paragraphs, _lengths([len(t.paragraphs) for t in texts])]
            elif name == "s":
                lengths = [sentences, _lengths([len(t.sentences) for t in texts])]
            else:
                lengths = [_lengths([min(len(t.ids), self.limits.words) for t in texts])]
                words = where[self._first_words(texts)]
            found[name] = hierarchy(table, words, lengths)
        return found

    def _first_words(self, texts: Sequence[HierarchyText]) -> Tensor:
        """Positions of each document's first word pieces in the flat sequence."""
        starts = np.cumsum([0, *(len(t.ids) for t in texts[:-1])])
        parts = [
            s + np.arange(min(len(t.ids), self.limits.words)) for s, t in zip(starts, texts, strict=True)
        ]
        return torch.from_numpy(np.concatenate(parts)).to(self.device)

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, dimension]."""
        return torch.cat([levels[-1].vectors for levels in self.levels(documents).values()], dim=1)


def _checked(prepared: ModelInput) -> HierarchyText:
    assert isinstance(prepared, HierarchyText)
    return prepared


def _lengths(counts: Any) -> Tensor:
    """On the CPU, where the GRU needs them."""
    return torch.as_tensor(counts, dtype=torch.int64)


H = TypeVar("H", bound=HierarchicalNetwork)


class HierarchicalMatcher(BiEncoderMatcher[H]):
    """Shows the attention of every level and the similarity of sentences and paragraphs.

    Attention is shown for each document by itself, as a map of one row (the whole text read) and a column a word,
    sentence or paragraph, which holds the weights as they are and opens level by level in the linked view. A product of
    both documents' weights would be a matrix of rank one: it says nothing of the pair that the two rows do not.
    """

    def encoding(self, document: Document, explain: bool) -> Encoding:
        tokens = document_tokens(document)
        text = self.network.prepare(document, tokens)
        levels = self.network.levels([text])
        raw = as_float(torch.cat([found[-1].vectors[0] for found in levels.values()]))
        coverage = reading_to(document, text)
        if not explain:
            return vector_encoding(document, coverage, text, raw)
        places = token_spans(document, tokens, text)
        attention: dict[tuple[str, Unit], Array] = {}
        for name, found in levels.items():
            attention |= _attention(name, [as_float(level.weights) for level in found], text, places)
        by_sentence = levels["s" if "s" in levels else "p"]
        units = default_units(document)
        return HierarchyEncoding(
            document=document,
            coverage=coverage,
            vector=normalised(raw),
            prepared=text,
            raw=raw,
            places=places,
            attention=attention,
            sentence_vectors=as_float(by_sentence[0].vectors),
            paragraph_vectors=as_float(levels["p"][1].vectors) if "p" in levels else None,
            parts=sentence_parts(self.network, text, levels),
            units=units,
            shares=sentence_shares(units, tokens, text),
        )

    def explanation(self, a: Encoding, b: Encoding, score: float) -> Explanation:
        """`sentence` and `paragraph` similarity, the attention within each document, and what made the score.

        Evidence: sentences that are close for the model, of those it attends to more than evenly; each sentence once.
        """
        left, right = encoded_as(a, HierarchyEncoding), encoded_as(b, HierarchyEncoding)
        maps: dict[str, SimilarityMap] = {}
        if left.places.sentences and right.places.sentences:
            maps["sentence"] = self._similarity_map(
                "sentence",
                centred_cosines(left.sentence_vectors, right.sentence_vectors),
                left.places.sentences,
                right.places.sentences,
                SENTENCE_MEANING,
            )
            if left.paragraph_vectors is not None and right.paragraph_vectors is not None:
                maps["paragraph"] = self._similarity_map(
                    "paragraph",
                    centred_cosines(left.paragraph_vectors, right.paragraph_vectors),
                    left.places.paragraphs,
                    right.places.paragraphs,
                    PARAGRAPH_MEANING,
                )
        parts = self.parts(a, b)
        for side, encoding in sides(left, right):
            if encoding.places.words:
                maps |= self._attention_maps(side, encoding, parts)
        maps |= self.contributions(left, right, score)
        evidence = self._evidence(left, right, maps["sentence"].values) if "sentence" in maps else []
        return maps, evidence

    def _similarity_map(
        self, level: Unit, values: Array, rows: tuple[Span, ...], columns: tuple[Span, ...], meaning: str
    ) -> SimilarityMap:
        return SimilarityMap(
            values,
            rows,
            columns,
            "cosine",
            meaning.format(title=self.card.title),
            role="topic",
            level=level,
            limits=(-1.0, 1.0),
        )

    def _attention_maps(
        self, side: Side, encoding: HierarchyEncoding, parts: Mapping[str, str]
    ) -> dict[str, SimilarityMap]:
        places = encoding.places
        whole = (Span(places.words[0].start, places.words[-1].end),)
        spans = {"word": places.words, "sentence": places.sentences, "paragraph": places.paragraphs}
        several = len(self.network.hierarchies) > 1
        found = {}
        for hierarchy in self.network.hierarchies:
            for unit in UNITS[: DEPTHS[hierarchy]]:
                weights = encoding.attention[hierarchy, unit]
                meaning = ATTENTION_MEANING.format(
                    title=self.card.title,
                    unit=unit,
                    hierarchy=HIERARCHIES[hierarchy],
                    part=parts.get(hierarchy, ""),
                )
                name = f"{side}_{unit}_attention" + (f"_{hierarchy}" if several else "")
                found[name] = SimilarityMap(
                    weights[None],
                    whole,
                    spans[unit][: len(weights)],
                    "attention",
                    meaning,
                    role="attention",
                    level=unit,
                    side=side,
                    form="weights",
                    label=f"{HIERARCHIES[hierarchy]} hierarchy" if several else "",
                    limits=(0.0, 1.0),
                )
        return found

    @abstractmethod
    def contributions(
        self, a: HierarchyEncoding, b: HierarchyEncoding, score: float
    ) -> dict[str, SimilarityMap]:
        """Maps of what made the score."""

    def parts(self, a: Encoding, b: Encoding) -> dict[str, str]:
        """Words on a hierarchy's part in the score, as the end of a sentence."""
        return {}

    def _evidence(self, a: HierarchyEncoding, b: HierarchyEncoding, cosine: Array) -> list[Evidence]:
        """Args: cosine: [sentences of a, sentences of b]."""
        rows, columns = _attended(a), _attended(b)
        return cell_evidence(
            a,
            b,
            cosine[np.ix_(rows, columns)],
            [a.places.sentences[i] for i in rows],
            [b.places.sentences[j] for j in columns],
            model=self.card.name,
            kind=match_by_words(a.document, b.document),  # this cosine does not tell rewording
            most=MOST_EVIDENCE,
            above=-np.inf,  # less what both have in common, 0 is not the least
        )


def _attention(
    hierarchy: str, weights: Sequence[Array], text: HierarchyText, places: TokenSpans
) -> dict[tuple[str, Unit], Array]:
    """Shares of the whole document by unit, each summing to one: weights times those of the units above."""
    if hierarchy == "w":
        words = places.word_of[: len(weights[0])]
        return {("w", "word"): np.bincount(words, weights[0]).astype(np.float32)}
    found: dict[tuple[str, Unit], Array] = {}
    share = weights[-1]
    if hierarchy == "p":
        found["p", "paragraph"] = share
        share = np.repeat(share, text.paragraphs) * weights[1]
    found[hierarchy, "sentence"] = share
    pieces = np.repeat(share, text.sentences) * weights[0]
    found[hierarchy, "word"] = np.bincount(places.word_of, pieces, len(places.words)).astype(np.float32)
    return found


def centred_cosines(a: Array, b: Array) -> Array:
    """Cosines of unit vectors less the mean of the two documents' means: [rows of a, rows of b]."""
    a, b = normalised(a), normalised(b)
    centre = (a.mean(0) + b.mean(0)) / 2
    return cosines(a - centre, b - centre)


def _attended(encoding: HierarchyEncoding) -> NDArray[np.int64]:
    """Positions of sentences of some length that get at least an even share of the attention; all where none does."""
    attention = encoding.attention
    weights = attention["s", "sentence"] if ("s", "sentence") in attention else attention["p", "sentence"]
    text = encoding.document.text
    words = np.array([len(text[s.start : s.end].split()) for s in encoding.places.sentences])
    long_enough = words >= SHORTEST if (words >= SHORTEST).any() else words > 0
    kept = np.flatnonzero(long_enough & (weights * len(weights) >= 1))
    return kept if len(kept) else np.flatnonzero(long_enough)
