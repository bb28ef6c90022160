"""Sizes and switches of CoLDE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


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
    words: int = 128  # numbers of a word's trained vector; 0, as in the paper: no words channel
    words_share: float = 0.5  # of the words channel in a vector, the rest is the encoder's; from validation
    exact_share: float = 0.1  # of the plain TF-IDF cosine in the score; from validation
    augment: bool = True  # off: CoLDE−Aug (4.5.1): no split, no section and chunk embeddings
    recurrent: bool = True  # off: CoLDE−LSTM (4.5.2): mean of the chunks, no attention
    contrastive: bool = True  # off: CoLDE−CL (4.5.3): cosine objective, no split
