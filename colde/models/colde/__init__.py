"""CoLDE: Contrastive Long Document Encoder (Jha, Rakesh, Chandrashekar, Samavedhi, Reddy 2023).

    document → sections → chunks of 512 tokens
             → token + position + section + chunk embedding → encoder → one vector a chunk     (3.1, figure 3)
             → attention of a section's chunks over the next section's (4 heads) → Bi-LSTM      (3.2)
             → projection to 256 → supervised contrastive loss over all sections of a batch     (3.2, 3.3)

Trained with documents split into n_p sections; used on the whole document, which then is one section (4.2).

Two forms of the aggregation, by `ColdeConfig.form`: `paper` as above; `residual`, the default, in which
attention and Bi-LSTM correct an attention pool by a term that starts at zero (docs/departures.md).
"""

from __future__ import annotations

from colde.models.colde.config import ChannelWeights, ColdeConfig, Mixture
from colde.models.colde.encoder import StructuredEncoder, load_base, structured_encoder
from colde.models.colde.encoding import ColdeEncoding
from colde.models.colde.matcher import Colde
from colde.models.colde.network import ColdeNetwork
from colde.models.colde.whole_matcher import WholeColde
from colde.models.colde.word_channel import WordChannel
from colde.models.colde.words_matcher import ColdeWords

__all__ = [
    "ChannelWeights",
    "Colde",
    "ColdeConfig",
    "ColdeEncoding",
    "ColdeNetwork",
    "ColdeWords",
    "Mixture",
    "StructuredEncoder",
    "WholeColde",
    "WordChannel",
    "load_base",
    "structured_encoder",
]
