"""CoLDE: Contrastive Long Document Encoder (Jha, Rakesh, Chandrashekar, Samavedhi, Reddy 2023), in three forms.

    colde        sentences → attention between the two documents and a contrastive vector       (`whole`, `cross`)
    colde_words  the same beside trained words and TF-IDF                                       (`words_matcher`)
    colde_paper  as the paper has it: chunks of 512 tokens → token + position + section + chunk
                 embedding → encoder → attention between parts → Bi-LSTM → projection           (`paper_*`; 3.1, 3.2)

All are trained by the supervised contrastive loss (3.3) on documents split into parts, and used on whole documents.
Departures: docs/departures.md.
"""

from __future__ import annotations

from colde.models.colde.paper_matcher import PaperColde
from colde.models.colde.whole_matcher import WholeColde
from colde.models.colde.words_matcher import ColdeWords

__all__ = ["ColdeWords", "PaperColde", "WholeColde"]
