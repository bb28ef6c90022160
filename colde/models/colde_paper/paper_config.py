"""Sizes and switches of the paper's form."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PaperConfig:
    """Each constant beside its source; the switches are the ablations of 4.5."""

    encoder: str = "packaged"  # or a folder, or a Hugging Face name; the paper: BERT-base (4.1.2)
    trained_layers: int = 2  # the encoder's last ones; the paper trains all (docs/departures.md)
    width: int = 384  # the encoder's hidden size
    heads: int = 4  # 4.1.2
    lstm: int = 256  # each way; 512 in all (4.1.2)
    projection: int = 256  # 4.1.2
    parts: int = 2  # n_p, into how many sections a document is split (3.1)
    part_rows: int = 8  # parts beyond take the last row
    chunk_rows: int = 64  # chunks beyond take the last row
    scale: float = 8.0  # length of a chunk's state; unit vectors are small numbers for an LSTM
    dropout: float = 0.0
    placed: bool = True  # section and chunk embeddings at the input (3.1)
    attends: bool = True  # chunkwise attention (3.2)
    recurrent: bool = True  # off: CoLDE−LSTM (4.5.2), the mean of the chunks
