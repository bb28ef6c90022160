"""Sizes and switches of the network whose parts are all trained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WholeConfig:
    """Sizes and switches of the network whose parts are all trained; each constant beside its source."""

    encoder: str = "packaged"
    frozen_layers: int = 4  # of six; those above are trained
    width: int = 384  # the encoder's hidden size
    heads: int = 4  # 4.1.2
    lstm: int = 256  # each way; 512 in all (4.1.2)
    projection: int = 256  # 4.1.2
    parts: int = 2  # n_p (3.1)
    section_rows: int = 2  # S_p: a row for each part
    chunk_rows: int = 24  # C_q; chunks beyond take the last row
    place_std: float = 0.02  # of the rows' first values, as of BERT's tables
    attends: bool = True  # off: without chunkwise attention
    attention_gain: float = 4.0  # of queries and keys at first: under it attention is uniform and stays so
    recurrent_gain: float = 1.0
    salience: int = 64  # hidden numbers of a sentence's weight
    salience_limit: float = 1.5  # a sentence counts at most e^1.5 times its length, at least e^-1.5
    scale: float = 8.0  # unit vectors are small numbers for an LSTM
    dropout: float = 0.2
