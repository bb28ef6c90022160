"""ARC-I: a siamese convolutional network (Hu et al. 2014, "ARC-I" in CoLDE's table 2).

    word pieces → vectors → 3 × (convolution over 3 → ReLU), halved twice → maximum over all places → linear → cosine

Each feature of a document is the maximum over all windows of its text, so only the windows that win count. As the last
layer has no constant, the cosine is exactly a sum over pairs of winning windows, one of each document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import max_pool1d

from colde.encoders.vector_math import group_sums, normalised
from colde.explain.contribution import Float64Array, Units, default_units
from colde.explain.level_maps import level_map
from colde.models.shared.bi_cross_encoder import CosineBiEncoder, ProjectedWords, pad_token_ids
from colde.models.shared.integrated_gradients import VectorParts
from colde.models.shared.network_input import (
    DocumentTokens,
    ModelInput,
    VectorEncoding,
    as_float,
    document_tokens,
    first_read,
)
from colde.models.shared.token_matcher import TokenBiEncoderMatcher
from colde.models.shared.unit_parts import UnitEncoding
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document, Span

TOKENS_AT_ONCE = 16_384
NEIGHBOUR_WEIGHT = (
    0.2  # initial weights of the first convolution's neighbours, as a share of the middle word's
)
NOISE = 0.02  # of the other convolutions' initial weights, around the identity

SECTION_MEANING = (
    "Sections read by themselves: the cosine of ARC-I's vectors of the two sections. High where their strongest "
    "windows are alike; the score itself is made of the first tokens of the whole document."
)
WINDOWS_MEANING = (
    "What the score is made of: the share that each pair of windows has in the cosine. Only the windows that win a "
    "feature's maximum count; all cells add up to the score, and a negative cell lowers the score."
)
CONTRIBUTION_MEANING = (
    "what the windows that win a feature bring to the cosine, each spread evenly over its tokens. All cells add up "
    "to the score. An empty document has the score 0, and a negative cell lowers the score."
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


class ArcINetwork(CosineBiEncoder):
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
        """Initialise so that the mean cosine of two texts is 0.76; at random it is 0.998, from which little is learned.

        The first convolution gives the middle word of its window the greatest weight, the others are near the identity:
        the maxima are those of single words, whose cosine depends on common words. Untrained, the area under the ROC
        curve of 100 validation pairs is 0.58 (acl) and 0.67 (textbooks), and 0.52 and 0.60 with a random start. A
        maximum over a long text is positive and nearly the same for all texts: without constants, and with a last layer
        whose rows sum to zero, the common part of all features cancels.
        """
        self.words.centre()
        first, *others = [c for c in self.convolutions if isinstance(c, nn.Conv1d)]
        middle = self.config.window // 2
        nn.init.normal_(first.weight, std=(2 / self.config.words) ** 0.5)  # as for windows of one word, ReLU
        first.weight[:, :, [i for i in range(self.config.window) if i != middle]] *= NEIGHBOUR_WEIGHT
        for convolution in others:
            nn.init.dirac_(convolution.weight)
            convolution.weight += NOISE * torch.randn_like(convolution.weight)
        for convolution in (first, *others):
            assert convolution.bias is not None
            nn.init.zeros_(convolution.bias)
        self.project.weight -= self.project.weight.mean(1, keepdim=True)

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        """Take the first word pieces of the compared sections, headings included."""
        tokens = document_tokens(document) if tokens is None else tokens
        return ModelInput(tokens.ids[: self.config.tokens])

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, out]."""
        strongest, _ = self.strongest(documents)
        return cast(Tensor, self.project(strongest))

    def strongest(self, documents: Sequence[ModelInput]) -> tuple[Tensor, Tensor]:
        """The maximum of each feature over all places, and the place: [documents, features] each.

        A text without a word piece has zeros at place 0.
        """
        ids, mask = pad_token_ids([d.ids for d in documents], self.device)  # [documents, tokens]
        if not ids.shape[1]:
            zeros = torch.zeros(len(documents), self.config.features, device=self.device)
            return zeros, zeros.long()
        different, place = torch.unique(ids, return_inverse=True)  # each word piece is projected once
        x = (self.words(different)[place] * mask.unsqueeze(-1)).transpose(1, 2)  # [documents, words, tokens]
        for k, convolution in enumerate(self.convolutions):
            x = torch.relu(convolution(x)) * mask.unsqueeze(1)  # [documents, features, places]
            if k + 1 < self.config.blocks:  # padding is 0, the least value of a ReLU
                x = max_pool1d(x, 2, ceil_mode=True)
                mask = mask[:, ::2]
        values, places = x.max(-1)
        return values, places

    def reach(self, place: int) -> tuple[int, int]:
        """Receptive field of a place of the last block: first and last token, which may lie outside the text."""
        first = last = place
        for k in range(self.config.blocks):
            first, last = first - self.config.window // 2, last + self.config.window // 2
            if k + 1 < self.config.blocks:  # a place before halving is two
                first, last = 2 * first, 2 * last + 1
        return first, last


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArcIEncoding(UnitEncoding):
    """A document with the windows that hold the maximum of a feature.

    Attributes:
        windows: [windows, out], the part of each window in the vector of length one, in reading order.
        window_spans: [windows].
    """

    windows: Array
    window_spans: tuple[Span, ...]


class ArcI(TokenBiEncoderMatcher[ArcINetwork]):
    """ARC-I as a Matcher."""

    network_class = ArcINetwork
    config_class = ArcIConfig
    contribution_meaning = CONTRIBUTION_MEANING

    def run(self, prepared: ModelInput) -> tuple[Array, Any]:
        values, places = self.network.strongest([prepared])
        return as_float(self.network.project(values)[0]), (values[0], places[0].tolist())

    def coverage(self, document: Document, tokens: DocumentTokens, prepared: ModelInput) -> Coverage:
        return first_read(tokens, prepared.size)

    def explained(self, encoding: VectorEncoding, tokens: DocumentTokens, states: Any) -> ArcIEncoding:
        """Adds the vectors of sections, read alone, and the part of each winning window in the document's vector."""
        document, read = encoding.document, encoding.prepared.size
        values, places = states
        parts = self._feature_parts(values)
        windows, spans = self._windows(values, parts, places, read, tokens)
        units = default_units(document)
        by_unit = self._unit_parts(parts, places, read, tokens, units)
        sections = [i for i, _ in document.compared() if (tokens.section == i).any()]
        most = self.network.config.tokens
        return encoding.extended(
            ArcIEncoding,
            sections=self._vectors([ModelInput(tokens.ids[tokens.section == i][:most]) for i in sections]),
            section_spans=tuple(Span(document.sections[i].start, document.sections[i].end) for i in sections),
            windows=windows,
            window_spans=spans,
            units=units,
            parts=VectorParts(
                by_unit, np.zeros(by_unit.shape[1]), normalised(encoding.raw).astype(np.float64)
            ),
        )

    def _vectors(self, texts: Sequence[ModelInput]) -> Array:
        """[texts, out], about `TOKENS_AT_ONCE` tokens at a time, padding included."""
        size = max(1, TOKENS_AT_ONCE // max([1, *(len(t.ids) for t in texts)]))
        vectors = [np.zeros((0, self.network.config.out), np.float32)]
        for at in range(0, len(texts), size):
            vectors.append(as_float(self.network.vectors(texts[at : at + size])))
        return np.concatenate(vectors)

    def _feature_parts(self, values: Tensor) -> Array:
        """Parts of the vector of length one by the maximum of each feature: [features] → [features, out]."""
        length = self.network.project(values).norm().clamp(min=1e-12)
        return as_float((self.network.project.weight * values).T / length)

    def _windows(
        self, values: Tensor, parts: Array, places: Sequence[int], read: int, tokens: DocumentTokens
    ) -> tuple[Array, tuple[Span, ...]]:
        """Winning windows in reading order: their parts in the vector of length one [windows, out], and their spans.

        The part of a window is the sum of the parts of the features whose maximum it holds. A window is shown as far as
        it lies in the section of its middle, and windows that then start at the same place are one.

        Args:
            values, places: [features], the maxima and where they are.
            parts: [features, out], of the vector.
            read: number of tokens that were read.
        """
        positive = np.flatnonzero(as_float(values) > 0)
        spans = np.array([self._span(p, read, tokens) for p in places])
        starts, window = np.unique(spans[positive, 0], return_inverse=True)
        by_window = group_sums(parts[positive], window, len(starts))
        ends = np.zeros(len(starts), np.int64)
        np.maximum.at(ends, window, spans[positive, 1])
        return by_window, tuple(Span(int(s), int(t)) for s, t in zip(starts, ends, strict=True))

    def _unit_parts(
        self, parts: Array, places: Sequence[int], read: int, tokens: DocumentTokens, units: Units
    ) -> Float64Array:
        """Parts of the vector of length one by unit, each window's spread over its tokens: [units, out]."""
        shares = np.zeros((len(units), len(places)))
        unit = units.at(tokens.starts[:read]) if len(units) else np.zeros(0, np.int64)
        for feature, place in enumerate(places if read else ()):
            first, last = self.network.reach(place)
            inside = unit[max(first, 0) : last + 1]
            np.add.at(shares[:, feature], inside, 1 / len(inside))
        return np.asarray(shares @ parts, dtype=np.float64)

    def _span(self, place: int, read: int, tokens: DocumentTokens) -> tuple[int, int]:
        """Receptive field of a place of the last block, in code points."""
        if not read:
            return 0, 0
        first, last = self.network.reach(place)
        section = tokens.section[min((first + last) // 2, read - 1)]
        inside = np.arange(max(first, 0), min(last + 1, read))
        inside = inside[tokens.section[inside] == section]
        return int(tokens.starts[inside[0]]), int(tokens.ends[inside[-1]])

    def explanation(self, a: Encoding, b: Encoding, score: float) -> dict[str, SimilarityMap]:
        """`section`, `windows`, whose cells add up to the score, and contributions over sections, chunks, sentences."""
        left, right = require_encoding(a, ArcIEncoding), require_encoding(b, ArcIEncoding)
        section = level_map("section", a, b, SECTION_MEANING, limits=(-1.0, 1.0))
        shares = np.asarray(left.windows @ right.windows.T, dtype=np.float32)
        windows = SimilarityMap(
            shares,
            left.window_spans,
            right.window_spans,
            "attribution",
            WINDOWS_MEANING,
            role="contribution",
            level="window",
            scale="diverging",
            reference=0.0,
            residual=score - float(shares.sum(dtype=np.float64)),
        )
        return {"section": section, "windows": windows} | self.contributions(left, right, score)
