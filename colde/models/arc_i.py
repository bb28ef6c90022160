"""ARC-I: a siamese convolutional network (Hu et al. 2014, "ARC-I" in CoLDE's table 2).

    word pieces → vectors → 3 × (convolution over 3 → ReLU), halved twice → maximum over all places → linear → cosine

Each feature of a document is the maximum over all windows of its text, so only the windows that win count. As the last
layer has no constant, the cosine is exactly a sum over pairs of winning windows, one of each document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import max_pool1d

from colde.document import Document, Span
from colde.models.reading import DocumentTokens, Ints, Prepared, as_float, document_tokens, reading_of
from colde.models.siamese import CosineSiamese, ProjectedWords, SiameseMatcher, pad_ids
from colde.passages import likeness, passage
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.vectors import cosines

MOST_EVIDENCE = 30
TOKENS_AT_ONCE = 16_384
NEIGHBOURS = 0.2  # of the first convolution's weights at the start, beside the middle word's
NOISE = 0.02  # around the identity of the others

SECTION_MEANING = (
    "Sections read by themselves: the cosine of ARC-I's vectors of the two sections. High where their strongest "
    "windows are alike; the score itself is made of the first tokens of the whole document."
)
WINDOWS_MEANING = (
    "What the score is made of: the share that each pair of windows has in the cosine. Only the windows that win a "
    "feature's maximum count; all cells add up to the score, and a negative cell speaks against likeness."
)


@dataclass(frozen=True, slots=True)
class ArcIConfig:
    """Sizes; words, window and features as in Hu et al. 2014, section 5 (50-d words, windows of 3, 200 to 500 maps)."""

    words: int = 50  # size of a word vector, behind a projection from the packaged 384
    window: int = 3  # places a convolution sees
    features: int = 200  # of each convolution
    blocks: int = 3  # CoLDE, 4.1: "three layers of 1D convolutional neural network"
    out: int = 128
    tokens: int = 512  # read from the front, as S-BERT; bounded for time


class ArcINetwork(CosineSiamese):
    """Word pieces → vector."""

    config: ArcIConfig
    sentences: ClassVar[bool] = False

    def __init__(self, config: ArcIConfig) -> None:
        super().__init__()
        if config.window % 2 == 0:
            raise ValueError(f"a window has a middle: its size must be odd, got {config.window}")
        self.config = config
        self.words = ProjectedWords(config.words)
        sizes = [config.words, *[config.features] * config.blocks]
        self.convolutions = nn.ModuleList(
            nn.Conv1d(i, o, config.window, padding=config.window // 2) for i, o in pairwise(sizes)
        )
        self.project = nn.Linear(config.features, config.out, bias=False)
        self._initialise()

    @torch.no_grad()
    def _initialise(self) -> None:
        """So that two texts do not begin with a cosine of .998, from which little is learned.

        The first convolution begins with its window's middle word before its neighbours, the others as the identity:
        the maxima begin as those of single words, whose cosine knows something of common words. Untrained, the area
        under the ROC curve of 100 validation pairs is .58 (acl) and .67 (textbooks); .52 and .60 where all begin at
        random. A maximum over a long text is positive and much the same for all texts: without constants, and with a
        last layer whose rows sum to zero, what all features have in common falls out (mean cosine .76).
        """
        self.words.centre()
        first, *others = [c for c in self.convolutions if isinstance(c, nn.Conv1d)]
        middle = self.config.window // 2
        nn.init.normal_(first.weight, std=(2 / self.config.words) ** 0.5)  # as for windows of one word, ReLU
        first.weight[:, :, [i for i in range(self.config.window) if i != middle]] *= NEIGHBOURS
        for convolution in others:
            nn.init.dirac_(convolution.weight)
            convolution.weight += NOISE * torch.randn_like(convolution.weight)
        for convolution in (first, *others):
            assert convolution.bias is not None
            nn.init.zeros_(convolution.bias)
        self.project.weight -= self.project.weight.mean(1, keepdim=True)

    def prepare(self, document: Document) -> Prepared:
        """The first word pieces of the compared sections, headings included."""
        return Prepared(document_tokens(document).ids[: self.config.tokens])

    def vectors(self, documents: Sequence[Prepared]) -> Tensor:
        """[documents, out]."""
        strongest, _ = self.strongest(documents)
        return cast(Tensor, self.project(strongest))

    def strongest(self, documents: Sequence[Prepared]) -> tuple[Tensor, Tensor]:
        """The maximum of each feature over all places, and the place: [documents, features] each.

        A text without a word piece has zeros, at place 0.
        """
        ids, mask = pad_ids([d.ids for d in documents], self.device)  # [documents, tokens]
        if not ids.shape[1]:
            zeros = torch.zeros(len(documents), self.config.features, device=self.device)
            return zeros, zeros.long()
        different, place = torch.unique(ids, return_inverse=True)  # each word piece is projected once
        x = (self.words(different)[place] * mask.unsqueeze(-1)).transpose(1, 2)  # [documents, words, tokens]
        for k, convolution in enumerate(self.convolutions):
            x = torch.relu(convolution(x)) * mask.unsqueeze(1)  # [documents, features, places]
            if k + 1 < self.config.blocks:  # what is padding is 0, the least a ReLU gives
                x = max_pool1d(x, 2, ceil_mode=True)
                mask = mask[:, ::2]
        values, places = x.max(-1)
        return values, places

    def reach(self, place: int) -> tuple[int, int]:
        """The tokens [first, last] that a place of the last block sees; they may lie outside the text."""
        first = last = place
        for k in range(self.config.blocks):
            first, last = first - self.config.window // 2, last + self.config.window // 2
            if k + 1 < self.config.blocks:  # a place before halving is two
                first, last = 2 * first, 2 * last + 1
        return first, last


class ArcI(SiameseMatcher[ArcINetwork]):
    """ARC-I as a Matcher."""

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> ArcINetwork:
        return ArcINetwork(ArcIConfig(**settings))

    def reading(self, document: Document, prepared: Prepared) -> Reading:
        """The first tokens."""
        tokens = document_tokens(document)
        return reading_of(tokens, np.arange(len(tokens)) < len(prepared.ids))

    def encoding(self, document: Document, prepared: Prepared, explain: bool) -> Encoding:
        """With `explain` the vectors of sections, and the part of the vector that each winning window brings."""
        found = super().encoding(document, prepared, explain)
        if not explain:
            return found
        tokens = document_tokens(document)
        sections = [i for i, _ in document.compared() if (tokens.section == i).any()]
        parts, starts, ends = self._windows(prepared, tokens)
        return replace(
            found,
            sections=self._vectors(
                [Prepared(tokens.ids[tokens.section == i][: self.network.config.tokens]) for i in sections]
            ),
            section_spans=tuple(Span(document.sections[i].start, document.sections[i].end) for i in sections),
            arrays={
                **found.arrays,
                "windows": parts,
                "starts": starts.astype(np.float32),  # below 2**24: exact in float32
                "ends": ends.astype(np.float32),
            },
        )

    def _vectors(self, texts: Sequence[Prepared]) -> Array:
        """[texts, out], about `TOKENS_AT_ONCE` tokens at a time with their padding."""
        size = max(1, TOKENS_AT_ONCE // max([1, *(len(t.ids) for t in texts)]))
        found = [np.zeros((0, self.network.config.out), np.float32)]
        for at in range(0, len(texts), size):
            found.append(as_float(self.network.vectors(texts[at : at + size])))
        return np.concatenate(found)

    def _windows(self, prepared: Prepared, tokens: DocumentTokens) -> tuple[Array, Ints, Ints]:
        """Winning windows in reading order: what each brings to the unit vector [windows, out], its start and end.

        The vector is the sum over features of (maximum of the feature) · (its column of the last layer); a window
        brings the features it wins. A window is shown as far as it lies in the section of its middle, and windows
        that then start at the same place are one.
        """
        values, places = self.network.strongest([prepared])
        length = self.network.project(values)[0].norm().clamp(min=1e-12)
        brought = as_float((self.network.project.weight * values[0]).T / length)  # [features, out]
        won = np.flatnonzero(as_float(values[0]) > 0)
        spans = np.array([self._span(int(p), len(prepared.ids), tokens) for p in places[0].tolist()])
        starts, of_window = np.unique(spans[won, 0], return_inverse=True)
        parts = np.zeros((len(starts), brought.shape[1]), np.float32)
        ends = np.zeros(len(starts), np.int32)
        np.add.at(parts, of_window, brought[won])
        np.maximum.at(ends, of_window, spans[won, 1].astype(np.int32))
        return parts, starts.astype(np.int32), ends

    def _span(self, place: int, read: int, tokens: DocumentTokens) -> tuple[int, int]:
        """Where a place of the last block looks, in code points."""
        if not read:
            return 0, 0
        first, last = self.network.reach(place)
        section = tokens.section[min((first + last) // 2, read - 1)]
        inside = np.arange(max(first, 0), min(last + 1, read))
        inside = inside[tokens.section[inside] == section]
        return int(tokens.starts[inside[0]]), int(tokens.ends[inside[-1]])

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`section`, and `windows`, whose cells add up to the score."""
        assert a.sections is not None and b.sections is not None
        windows, rows, columns = self._shares(a, b)
        section = cosines(a.sections, b.sections)
        return {
            "section": SimilarityMap(section, a.section_spans, b.section_spans, "cosine", SECTION_MEANING),
            "windows": SimilarityMap(windows, rows, columns, "attribution", WINDOWS_MEANING),
        }

    def _shares(self, a: Encoding, b: Encoding) -> tuple[Array, tuple[Span, ...], tuple[Span, ...]]:
        """[windows of a, windows of b], whose sum is the cosine."""
        values = np.asarray(a.arrays["windows"] @ b.arrays["windows"].T, dtype=np.float32)
        rows, columns = (
            tuple(Span(int(s), int(t)) for s, t in zip(e.arrays["starts"], e.arrays["ends"], strict=True))
            for e in (a, b)
        )
        return values, rows, columns

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Pairs of windows with the greatest share in the score; no two overlap on both sides."""
        values, rows, columns = self._shares(a, b)
        found: list[Evidence] = []
        for flat in np.argsort(-values, axis=None, kind="stable"):
            i, j = (int(k) for k in np.unravel_index(int(flat), values.shape))
            if len(found) >= MOST_EVIDENCE or not values[i, j] > 0:
                break
            one, other = rows[i], columns[j]
            if any(one.overlaps(e.a) and other.overlaps(e.b) for e in found):
                continue
            found.append(
                Evidence(
                    self.card.name,
                    passage(a.document, one.start, one.end),
                    passage(b.document, other.start, other.end),
                    float(values[i, j]),
                    likeness(
                        a.document.text[one.start : one.end], b.document.text[other.start : other.end], 0.0
                    ),
                )
            )
        return found
