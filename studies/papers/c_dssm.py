"""C-DSSM: letter trigrams of words, convolved over windows of three (Shen et al. 2014; Match-Ignition's table 2).

words → letter trigrams of #word# → sums of their rows → windows of 3 words → 300, tanh → maximum over all windows
→ 128, tanh → cosine
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding_bag

from colde.models.dssm.dssm import WORD, letter_trigrams
from colde.models.shared.bi_cross_encoder import CosineBiEncoder
from colde.models.shared.network_input import DocumentTokens, Ints, ModelInput, as_float, vector_encoding
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import bucket
from studies.papers.convolutions import NEIGHBOUR_WEIGHT, max_over_windows, window_mask
from studies.papers.first_tokens import ScoreOnlyBiEncoder

WINDOW = 3


@dataclass(frozen=True, slots=True)
class CDssmConfig:
    """Sizes of Shen et al. 2014, 3: windows of three, 300 and 128; buckets and rank as DSSM here."""

    buckets: int = 8_192
    rank: int = 64
    features: int = 300
    out: int = 128
    words: int = 512  # read from the front


@dataclass(frozen=True, slots=True, eq=False)
class SpelledWords(ModelInput):
    """Words in reading order: `ids` [words] are numbers of different words; the trigrams of these, and how many."""

    letters: Ints
    lengths: Ints


class CDssmNetwork(CosineBiEncoder):
    """Words → vector. The matrix [3 · trigrams, 300] of the paper is a product of rank 64 a word."""

    config: CDssmConfig
    input_type: ClassVar[type[ModelInput]] = SpelledWords
    sentences: ClassVar[bool] = False

    def __init__(self, config: CDssmConfig) -> None:
        super().__init__()
        self.config = config
        self.trigrams = nn.Parameter(torch.randn(config.buckets, config.rank))
        self.windows = nn.Conv1d(config.rank, config.features, WINDOW, padding=WINDOW // 2)
        self.project = nn.Linear(config.features, config.out)
        self._initialise()

    @torch.no_grad()
    def _initialise(self) -> None:
        """At first a window reads mainly its middle word; each row of the projection sums to 0, as in ARC-I.

        So what the maxima of all texts have in common has no effect.
        """
        # Small, so that the maximum of some hundred windows is not at the flat end of tanh: the area under the curve
        # of 150 training pairs begins at .55 (acl) and .62 (textbooks), at .52 and .57 without the .3.
        nn.init.normal_(self.windows.weight, std=0.3 * self.config.rank**-0.5)
        self.windows.weight[:, :, [0, 2]] *= NEIGHBOUR_WEIGHT
        self.project.weight -= self.project.weight.mean(1, keepdim=True)
        for layer in (self.windows, self.project):
            assert layer.bias is not None
            nn.init.zeros_(layer.bias)

    def input_settings(self) -> dict[str, Any]:
        return {"buckets": self.config.buckets, "words": self.config.words}

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> SpelledWords:
        """Take the first words of all that is compared; word pieces are not needed."""
        texts = (document.text[s.start : s.end] for _, s in document.compared())
        words = [w for text in texts for w in WORD.findall(text.lower())][: self.config.words]
        number = {w: k for k, w in enumerate(dict.fromkeys(words))}
        spelled = [[bucket(t, self.config.buckets) for t in letter_trigrams(w)] for w in number]
        return SpelledWords(
            np.array([number[w] for w in words], np.int32),
            np.array([t for word in spelled for t in word], np.int32),
            np.array([len(word) for word in spelled], np.int32),
        )

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, out]."""
        x, mask = self.spelled([cast(SpelledWords, d) for d in documents])
        values = torch.tanh(self.windows(x.transpose(1, 2)))
        return torch.tanh(self.project(max_over_windows(values, window_mask(mask, mask.shape[1]))))

    def spelled(self, documents: Sequence[SpelledWords]) -> tuple[Tensor, Tensor]:
        """Sums of trigrams' rows, over the root of their number [documents, words, rank]; mask [documents, words]."""
        lengths = np.concatenate([d.lengths for d in documents])
        letters = torch.from_numpy(np.concatenate([d.letters for d in documents])).long().to(self.device)
        starts = torch.from_numpy(np.cumsum(lengths) - lengths).long().to(self.device)
        rows = embedding_bag(letters, self.trigrams, starts, mode="sum")
        rows = rows / torch.from_numpy(lengths).to(rows).clamp(min=1).sqrt().unsqueeze(1)
        rows = torch.cat([rows, rows.new_zeros(1, rows.shape[1])])  # the last is padding
        first = np.cumsum([0, *(len(d.lengths) for d in documents)])
        most = max(1, *(len(d.ids) for d in documents))
        places = np.full((len(documents), most), len(rows) - 1, dtype=np.int64)
        for i, d in enumerate(documents):
            places[i, : len(d.ids)] = d.ids + first[i]
        where = torch.from_numpy(places).to(self.device)
        return rows[where], where < len(rows) - 1


class CDssm(ScoreOnlyBiEncoder[CDssmNetwork]):
    """C-DSSM as a Matcher."""

    network_class = CDssmNetwork
    config_class = CDssmConfig

    def encoding(self, document: Document, explain: bool) -> Encoding:
        prepared = self.network.prepare(document)
        raw = as_float(self.network.vectors([prepared])[0])
        return vector_encoding(document, _first_words(document, self.network.config.words), prepared, raw)


def _first_words(document: Document, most: int) -> Coverage:
    """Coverage of a network that reads the first words."""
    read = total = 0
    unread = []
    for _, section in document.compared():
        words = list(WORD.finditer(document.text[section.start : section.end]))
        total += len(words)
        room = max(0, most - read)
        read += min(room, len(words))
        if len(words) > room:
            unread.append(Span(section.start + words[room].start(), section.start + words[-1].end()))
    return Coverage(read, total, tuple(unread))
