"""Settings of a run of CoLDE, with their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of a run; figures for the choices stand in docs/results.md."""

    steps: int = 480
    pool_steps: int = 420  # residual form: so many steps before attention and Bi-LSTM join in
    joint_chunks: int = 8  # chunks a document, evenly spread, from then on
    pairs: int = 96  # of each corpus, a batch
    learning_rate: float = 3e-4
    weight_decay: float = 0.01  # 4.1.2
    warm_up: float = 0.1
    clip: float = 1.0
    temperature: float = 0.1  # 0.5 in the paper (4.1.2)
    unlabelled: float = 0.1  # weight of pairs without a label as negatives; 1 in the paper
    sections: int = 2  # n_p (3.1); without augmentation a document is one section
    section_chunks: int = 0  # of a section at most, its first ones (4.4.2); 0: all
    pair_loss: float = 1.0  # weight of the pair loss beside the contrastive one; 0 in the paper
    most_chunks: int = 16  # of a document, evenly spread
    validate_every: int = 40
    patience: int = 6  # validations without a better mean AUC
    words_steps: int = 150  # of the words channel
    words_pairs: int = 200  # of each corpus, a batch
    words_rate: float = 1e-2  # learning rate of the words channel
    encoder_steps: int = 300
    encoder_rate: float = 1e-4  # of encoder and head; 5e-5 in the paper (4.1.2)
    encoder_rates: Mapping[str, float] = field(
        default_factory=dict
    )  # part, `encoder` or `network` → factor of it
    encoder_pairs: int = 16  # of each corpus, a batch
    encoder_chunks: int = 4  # of a document, drawn anew in each step (the paper's tokens a section, figure 7)
    encoder_valid: int = 100  # validation pairs of each corpus, always the same
    tokens: int = 8_192  # padded tokens a micro-batch
    bf16: bool = True
    ema: float = 0.0  # decay of a running mean of the weights, which is validated and kept; 0: off
    words_dropout: float = 0.3  # share of a document's words left out, at random, each time
