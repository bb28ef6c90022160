"""What SMASH RNN and HAN share: a document as words in sentences in paragraphs, and what their attention shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from colde.document import Document, Span
from colde.errors import ModelError
from colde.models.reading import (
    DocumentTokens,
    Ints,
    Prepared,
    ReadEncoding,
    as_float,
    document_tokens,
)
from colde.models.recurrent import Hierarchy, LevelOutput
from colde.models.siamese import ProjectedWords, Siamese, SiameseMatcher
from colde.passages import likeness, passage
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.vectors import cosines, normalised

DEPTHS = {"p": 3, "s": 2, "w": 1}
"""Hierarchy → its levels (SMASH, 3.1): words in sentences in paragraphs, words in sentences, words alone."""
UNITS = ("word", "sentence", "paragraph")
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
class HierarchyText(Prepared):
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
class Places:
    """Where the pieces of a `HierarchyText` stand in the document's text.

    Attributes:
        word_of: [tokens], the word each word piece belongs to.
        words, sentences, paragraphs: their spans, in reading order.
    """

    word_of: NDArray[np.int64]
    words: tuple[Span, ...]
    sentences: tuple[Span, ...]
    paragraphs: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyEncoding(ReadEncoding):
    """With `places`, and in `arrays` the attention by hierarchy and unit (`p_word`, `s_sentence` …)."""

    places: Places | None = None


def read_text(document: Document, tokens: DocumentTokens, limits: ReadingLimits) -> HierarchyText:
    """The first sentences that fit into `limits.tokens`."""
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


def reading_to(document: Document, text: HierarchyText) -> Reading:
    """The first `len(ids)` word pieces were read; the rest of each section was not."""
    end, total = (int(x) for x in text.extent)
    if len(text.ids) == total:
        return Reading(total, total)
    unread = []
    for _, section in document.compared():
        rest = document.text[max(end, section.start) : section.end]
        if rest.strip():
            unread.append(Span(max(end, section.start) + len(rest) - len(rest.lstrip()), section.end))
    return Reading(len(text.ids), total, tuple(unread))


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


def places_of(document: Document, tokens: DocumentTokens, text: HierarchyText) -> Places:
    """The spans of what `read_text` has read."""
    count = len(text.ids)
    starts, ends = tokens.starts[:count], tokens.ends[:count]
    first = np.cumsum(text.sentences) - text.sentences
    paragraph = np.cumsum(text.paragraphs) - text.paragraphs
    sentence_of = np.repeat(np.arange(len(first)), text.sentences)
    new = np.ones(count, dtype=bool)
    for i in range(1, count):
        at = int(starts[i])
        joined = at < ends[i - 1] or (
            at == ends[i - 1] and document.text[at - 1].isalnum() and document.text[at].isalnum()
        )
        new[i] = not joined or sentence_of[i] != sentence_of[i - 1]
    return Places(
        np.cumsum(new) - 1,
        _spans(starts, ends, np.flatnonzero(new)),
        _spans(starts, ends, first),
        _spans(starts, ends, first[paragraph]),
    )


def _spans(starts: Ints, ends: Ints, first: NDArray[Any]) -> tuple[Span, ...]:
    """Spans that begin at these tokens and end where the next one begins."""
    last = np.append(first, len(starts))[1:] - 1
    return tuple(Span(int(starts[i]), int(ends[j])) for i, j in zip(first, last, strict=True))


class HierarchicalNetwork(Siamese):
    """One attention-based recurrent network a hierarchy over the same word vectors; d = [d^p; d^s; d^w] (3.3)."""

    kind: ClassVar[type[Prepared]] = HierarchyText

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

    def prepare(self, document: Document) -> HierarchyText:
        return read_text(document, document_tokens(document), self.limits)

    def levels(self, documents: Sequence[Prepared]) -> dict[str, list[LevelOutput]]:
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

    def vectors(self, documents: Sequence[Prepared]) -> Tensor:
        """[documents, dimension]."""
        return torch.cat([levels[-1].vectors for levels in self.levels(documents).values()], dim=1)


def _checked(prepared: Prepared) -> HierarchyText:
    assert isinstance(prepared, HierarchyText)
    return prepared


def _lengths(counts: Any) -> Tensor:
    """On the CPU, where the GRU needs them."""
    return torch.as_tensor(counts, dtype=torch.int64)


H = TypeVar("H", bound=HierarchicalNetwork)


class HierarchicalMatcher(SiameseMatcher[H]):
    """Shows the attention of every level and the similarity of sentences and paragraphs.

    Attention is shown for each document by itself, as a map of one row (the whole text read) and a column a word,
    sentence or paragraph, which holds the weights as they are and opens level by level in the linked view. A product of
    both documents' weights would be a matrix of rank one: it says nothing of the pair that the two rows do not.
    """

    def reading(self, document: Document, prepared: Prepared) -> Reading:
        return reading_to(document, _checked(prepared))

    def encoding(self, document: Document, prepared: Prepared, explain: bool) -> Encoding:
        if not explain:
            return super().encoding(document, prepared, explain)
        text = _checked(prepared)
        places = places_of(document, document_tokens(document), text)
        levels = self.network.levels([text])
        vector = as_float(torch.cat([found[-1].vectors[0] for found in levels.values()]))
        arrays: dict[str, Array] = {"vector": vector}
        for name, found in levels.items():
            arrays.update(_attention(name, [as_float(level.weights) for level in found], text, places))
        by_sentence = levels["s" if "s" in levels else "p"]
        arrays["sentences"] = as_float(by_sentence[0].vectors)
        if "p" in levels:
            arrays["paragraphs"] = as_float(levels["p"][1].vectors)
        return HierarchyEncoding(
            document=document,
            reading=self.reading(document, text),
            vector=normalised(vector),
            arrays=arrays,
            prepared=text,
            places=places,
        )

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`sentence` and `paragraph` similarity, and the attention within each document by level and hierarchy."""
        left, right = _places(a), _places(b)
        title = self.card.title
        found: dict[str, SimilarityMap] = {}
        if left.sentences and right.sentences:
            found["sentence"] = SimilarityMap(
                centred_cosines(a.arrays["sentences"], b.arrays["sentences"]),
                left.sentences,
                right.sentences,
                "cosine",
                SENTENCE_MEANING.format(title=title),
            )
            if "paragraphs" in a.arrays:
                found["paragraph"] = SimilarityMap(
                    centred_cosines(a.arrays["paragraphs"], b.arrays["paragraphs"]),
                    left.paragraphs,
                    right.paragraphs,
                    "cosine",
                    PARAGRAPH_MEANING.format(title=title),
                )
        parts = self.parts(a, b)
        for side, encoding, places in (("a", a, left), ("b", b, right)):
            if places.words:
                found.update(self._attention_maps(side, encoding, places, parts))
        return found

    def _attention_maps(
        self, side: str, encoding: Encoding, places: Places, parts: Mapping[str, str]
    ) -> dict[str, SimilarityMap]:
        whole = (Span(places.words[0].start, places.words[-1].end),)
        spans = {"word": places.words, "sentence": places.sentences, "paragraph": places.paragraphs}
        several = len(self.network.hierarchies) > 1
        found = {}
        for hierarchy in self.network.hierarchies:
            for unit in UNITS[: DEPTHS[hierarchy]]:
                weights = encoding.arrays[f"{hierarchy}_{unit}"]
                columns = spans[unit][: len(weights)]
                meaning = ATTENTION_MEANING.format(
                    title=self.card.title,
                    unit=unit,
                    hierarchy=HIERARCHIES[hierarchy],
                    part=parts.get(hierarchy, ""),
                )
                name = f"within_{side}_{unit}_attention" + (f"_{hierarchy}" if several else "")
                found[name] = SimilarityMap(weights[None], whole, columns, "attention", meaning)
        return found

    def parts(self, a: Encoding, b: Encoding) -> dict[str, str]:
        """What to say of a hierarchy's part in the score, as the end of a sentence."""
        return {}

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Sentences that are close for the model, of those it attends to more than evenly; each sentence once."""
        left, right = _places(a), _places(b)
        rows, columns = _attended(a, left), _attended(b, right)
        if not len(rows) or not len(columns):
            return []
        values = centred_cosines(a.arrays["sentences"], b.arrays["sentences"])[np.ix_(rows, columns)]
        found: list[Evidence] = []
        used_a: set[int] = set()
        used_b: set[int] = set()
        for flat in np.argsort(-values, axis=None, kind="stable"):
            i, j = (int(k) for k in np.unravel_index(int(flat), values.shape))
            if len(found) >= MOST_EVIDENCE:
                break
            if i in used_a or j in used_b:
                continue
            used_a.add(i)
            used_b.add(j)
            first, second = left.sentences[rows[i]], right.sentences[columns[j]]
            kind = likeness(
                a.document.text[first.start : first.end], b.document.text[second.start : second.end], 0.0
            )  # by words alone: this cosine does not tell rewording
            found.append(
                Evidence(
                    self.card.name,
                    passage(a.document, first.start, first.end),
                    passage(b.document, second.start, second.end),
                    float(values[i, j]),
                    kind,
                )
            )
        return found


def _attention(
    hierarchy: str, weights: Sequence[Array], text: HierarchyText, places: Places
) -> dict[str, Array]:
    """Shares of the whole document by unit, each summing to one: weights times those of the units above."""
    if hierarchy == "w":
        words = places.word_of[: len(weights[0])]
        return {"w_word": np.bincount(words, weights[0]).astype(np.float32)}
    found = {}
    share = weights[-1]
    if hierarchy == "p":
        found["p_paragraph"] = share
        share = np.repeat(share, text.paragraphs) * weights[1]
    found[f"{hierarchy}_sentence"] = share
    pieces = np.repeat(share, text.sentences) * weights[0]
    found[f"{hierarchy}_word"] = np.bincount(places.word_of, pieces, len(places.words)).astype(np.float32)
    return found


def centred_cosines(a: Array, b: Array) -> Array:
    """Cosines of unit vectors less the mean of the two documents' means: [rows of a, rows of b]."""
    a, b = normalised(a), normalised(b)
    centre = (a.mean(0) + b.mean(0)) / 2
    return cosines(a - centre, b - centre)


def _attended(encoding: Encoding, places: Places) -> NDArray[np.int64]:
    """Positions of sentences of some length that get at least an even share of the attention; all where none does."""
    name = "s_sentence" if "s_sentence" in encoding.arrays else "p_sentence"
    weights = encoding.arrays[name]
    words = np.array([len(encoding.document.text[s.start : s.end].split()) for s in places.sentences])
    long_enough = words >= SHORTEST if (words >= SHORTEST).any() else words > 0
    kept = np.flatnonzero(long_enough & (weights * len(weights) >= 1))
    return kept if len(kept) else np.flatnonzero(long_enough)


def _places(encoding: Encoding) -> Places:
    assert isinstance(encoding, HierarchyEncoding) and encoding.places is not None
    return encoding.places
