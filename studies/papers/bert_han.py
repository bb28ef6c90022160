"""BERT-HAN, with and without cross-document attention: sentences by the encoder, documents by attention over them.

    sentence → frozen encoder → mean of its last states, length one → `SentenceAttention`

(Zhou et al. 2020; Match-Ignition's table 3.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

import numpy as np
import torch
from torch import Tensor

from colde.encoders.bert.packed_bert import frozen_bert, length_runs, text_means
from colde.encoders.encoder_names import encoder_folder
from colde.encoders.runtime import compute_dtype
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import normalised
from colde.models.shared.bi_cross_encoder import CrossEncoder
from colde.models.shared.network_input import DocumentTokens, ModelInput
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Span
from studies.papers.first_tokens import ScoreOnlyCrossEncoder
from studies.papers.sentence_attention import SentenceAttention

WIDTH = 384


@dataclass(frozen=True, slots=True)
class BertHanConfig:
    """Sizes as SMASH RNN's hierarchies; Zhou et al. 2020 have 50 each way."""

    cda: bool = False
    hidden: int = 50  # each way
    attention: int = 100
    dropout: float = 0.2
    sentences: int = 64  # read from the front, headings among them


class SentenceVectors(ModelInput):
    """Sentences of a document: `ids` [sentences · 192] hold their vectors as float16, two numbers in each."""

    __slots__ = ()

    @property
    def size(self) -> int:
        """Sentences, times eight: about what one costs beside a word."""
        return 8 * len(self.ids) // (WIDTH // 2)

    @property
    def vectors(self) -> Array:
        """[sentences, 384]."""
        halves = np.ascontiguousarray(self.ids).view(np.float16).reshape(-1, WIDTH)
        return np.asarray(halves, dtype=np.float32)

    @classmethod
    def hold(cls, vectors: Array) -> Self:
        """From vectors [sentences, 384]."""
        return cls(np.ascontiguousarray(vectors, dtype=np.float16).reshape(-1).view(np.int32))


@dataclass(frozen=True, slots=True, eq=False)
class DocumentPairInput(ModelInput):
    """A pair as it is: `ids` is empty."""

    a: ModelInput
    b: ModelInput

    @property
    def size(self) -> int:
        return self.a.size + self.b.size


class BertHanNetwork(CrossEncoder):
    """Vectors of sentences → logit; the frozen encoder is not part of the network."""

    config: BertHanConfig
    input_type: ClassVar[type[ModelInput]] = SentenceVectors

    def __init__(self, config: BertHanConfig) -> None:
        super().__init__()
        self.config = config
        self.level = SentenceAttention(
            WIDTH, config.hidden, config.attention, cda=config.cda, dropout=config.dropout
        )

    def input_settings(self) -> dict[str, Any]:
        return {"sentences": self.config.sentences}

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> SentenceVectors:
        """Encode the first sentences; their word pieces are not those of `tokens`: each sentence is read by itself."""
        return self.encoded(read_sentences(document, default_tokenizer()))

    @torch.inference_mode()
    def encoded(self, sentences: Sentences) -> SentenceVectors:
        """The vectors of the first sentences, by the frozen encoder."""
        ids = sentences.ids[: self.config.sentences]
        vectors = np.zeros((len(ids), WIDTH), np.float32)
        if ids:
            encoder = frozen_bert(encoder_folder("packaged"), compute_dtype())
            order = np.argsort([len(i) for i in ids], kind="stable")
            runs = length_runs(np.array([len(ids[i]) for i in order]))
            flat = torch.from_numpy(np.concatenate([ids[i] for i in order]).astype(np.int64))
            vectors[order] = normalised(text_means(encoder(flat, runs), runs).float().numpy())
        return SentenceVectors.hold(vectors)

    def join(self, a: ModelInput, b: ModelInput) -> DocumentPairInput:
        return DocumentPairInput(np.zeros(0, np.int32), a, b)

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]."""
        both = [cast(DocumentPairInput, p) for p in pairs]
        sides = []
        for documents in ([p.a for p in both], [p.b for p in both]):
            vectors = [torch.from_numpy(cast(SentenceVectors, d).vectors) for d in documents]
            lengths = torch.tensor([len(v) for v in vectors])
            # Numbers of a unit vector are small beside what a GRU's weights are made for.
            sides.append((torch.cat(vectors).to(self.device) * WIDTH**0.5, lengths))
        (a, lengths_a), (b, lengths_b) = sides
        return cast(Tensor, self.level(a, b, lengths_a, lengths_b))


class BertHan(ScoreOnlyCrossEncoder[BertHanNetwork]):
    """BERT-HAN as a Matcher."""

    network_class = BertHanNetwork
    config_class = BertHanConfig

    def coverage_of(self, document: Document, prepared: SentenceVectors) -> Coverage:
        sentences = read_sentences(document, default_tokenizer())
        most = self.network.config.sentences
        unread = _later(sentences, most)
        return Coverage(int(sentences.tokens[:most].sum()), int(sentences.tokens.sum()), unread)


def _later(sentences: Sentences, most: int) -> tuple[Span, ...]:
    """The runs of sentences after the first `most`, by section."""
    sections = sentences.section[most:]
    unread = []
    for section in np.unique(sections):
        at = most + np.flatnonzero(sections == section)
        unread.append(Span(sentences.spans[at[0]].start, sentences.spans[at[-1]].end))
    return tuple(unread)
