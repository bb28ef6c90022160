"""CoLDE: Contrastive Long Document Encoder (Jha, Rakesh, Chandrashekar, Samavedhi, Reddy 2023).

This package holds the form that the page shows first: sentences → segments → attention between two documents (3.2)
    and a vector trained by the supervised contrastive loss (3.3). Two packages beside it hold the other forms:

    colde_words  this score, the cosine of trained word vectors, and the cosine of TF-IDF
    colde_paper  the architecture of the paper: chunks of 512 tokens → embeddings → encoder → attention between parts →
                 Bi-LSTM → projection (3.1, 3.2)

All are trained on documents split into parts, and used on entire documents. Departures: docs/departures.md.
"""

from __future__ import annotations

from colde.models.colde.matcher import Colde

__all__ = ["Colde"]
