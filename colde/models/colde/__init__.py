"""CoLDE: Contrastive Long Document Encoder (Jha, Rakesh, Chandrashekar, Samavedhi, Reddy 2023).

The default form: sentences → segments → attention between two documents (3.2), trained with the supervised contrastive
loss (3.3). A score passes through six files:

    models/colde/matcher.py             `encode` and `match`
    encoders/sentence_layout.py         a document as sentences, segments, chunks and sections
    encoders/sentence_encoder.py        unit vectors of sentences, cached
    models/colde/document_encoding.py   vectors of the document and its passages
    models/colde/network.py             the projection, and all equations
    models/colde/attention.py           attention between two documents: the score

augmentation.py and contrastive.py hold what training adds, out_of_domain.py the form for other kinds of documents and
other encoders, explanation.py the maps, and provisional_score.py the score before all is read. Two packages hold other
forms:

    colde_words  a weighted mean of this score, the cosine of trained word vectors, and the cosine of TF-IDF
    colde_paper  the architecture of the paper: chunks of 512 tokens → encoder → attention between parts → Bi-LSTM →
                 projection (3.1, 3.2)

Documents are split into parts in training only. Departures from the paper: docs/departures.md.
"""

from __future__ import annotations

from colde.models.colde.matcher import Colde

__all__ = ["Colde"]
