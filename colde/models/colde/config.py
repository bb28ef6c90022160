"""Sizes and switches of CoLDE."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from colde.judge.profiles import GENERAL


@dataclass(frozen=True, slots=True)
class ColdeConfig:
    """Sizes and switches; each constant beside its source."""

    form: Literal["residual", "paper"] = "residual"
    encoder: str = "packaged"  # or a folder, or a Hugging Face name; the paper: BERT-base (4.1.2)
    fine_tuned: str = "frozen"  # or lora, top:N (the N last layers), all
    rank: int = 8  # of lora
    width: int = 384  # the encoder's hidden size
    heads: int = 4  # 4.1.2
    lstm: int = 256  # each way; 512 in all (4.1.2)
    projection: int = 256  # 4.1.2
    section_rows: int = 8  # sections beyond take the last row
    chunk_rows: int = 64  # chunks beyond take the last row
    pool_hidden: int = 128  # residual form
    scale: float = 8.0  # residual form: unit vectors are small numbers for tanh and LSTM
    dropout: float = 0.2
    mixture: Mapping[str, Mapping[str, float]] = field(
        default_factory=dict
    )  # `Mixture.of`; empty: vectors alone
    words: int = 256  # numbers of a word's trained vector; 0, as in the paper: no words channel
    augment: bool = True  # off: CoLDE−Aug (4.5.1): no split, no section and chunk embeddings
    recurrent: bool = True  # off: CoLDE−LSTM (4.5.2): mean of the chunks, no attention
    contrastive: bool = True  # off: CoLDE−CL (4.5.3): cosine objective, no split


@dataclass(frozen=True, slots=True)
class ChannelWeights:
    """What a score is made of, in parts of one; the rest is the cosine of the encoder's vectors.

    Attributes:
        words: the cosine of the words channel's trained vectors.
        exact: the cosine of plain TF-IDF weights.
        late: the mean of each chunk's best match in the other document, both ways, on frozen chunk vectors.
    """

    words: float = 0.0
    exact: float = 0.0
    late: float = 0.0

    @property
    def dense(self) -> float:
        """The rest: the cosine of the encoder's vectors."""
        return 1.0 - self.words - self.exact - self.late


@dataclass(frozen=True, slots=True)
class Mixture:
    """Weights of the channels by profile, as a checkpoint holds them; from validation (docs/results.md).

    Trained words tell documents of the kinds that were trained on from each other best, and say nothing of others: on
    a kind that was left out plain words and the frozen encoder travel. Subjects of textbooks differ as kinds do.

    Attributes:
        in_domain: for documents of a kind that was trained on, where `profiles` has nothing else.
        out_of_domain: under `general` with a reference.
        profiles: by profile.
    """

    in_domain: ChannelWeights = ChannelWeights()
    out_of_domain: ChannelWeights = ChannelWeights()
    profiles: Mapping[str, ChannelWeights] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Mixture:
        """Weights as they stand in a config: `in_domain`, `out_of_domain`, and one entry a profile."""
        weights = {name: ChannelWeights(**entry) for name, entry in raw.items()}
        none = ChannelWeights()
        return cls(weights.pop("in_domain", none), weights.pop("out_of_domain", none), weights)

    def weights(self, profile: str, *, reference: bool = False) -> ChannelWeights:
        """Weights for documents of a profile, judged against its own background or against a reference."""
        if reference and profile == GENERAL:
            return self.out_of_domain
        return self.profiles.get(profile, self.in_domain)
