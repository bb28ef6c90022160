"""What a run of CoLDE can be told: settings with their defaults, and the variants."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from colde.errors import ModelError
from colde.models.colde import ColdeConfig


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
    sections: int = 2  # n_p (3.1); 1 with CoLDE−Aug
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
    encoder_pairs: int = 16  # of each corpus, a batch
    encoder_chunks: int = 4  # of a document, drawn anew in each step (the paper's tokens a section, figure 7)
    encoder_valid: int = 100  # validation pairs of each corpus, always the same
    tokens: int = 8_192  # padded tokens a micro-batch
    bf16: bool = True
    ema: float = 0.0  # decay of a running mean of the weights, which is validated and kept; 0: off
    words_dropout: float = 0.3  # share of a document's words left out, at random, each time


VARIANTS: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "colde": ({}, {}),
    "colde:paper": (
        {"form": "paper", "dropout": 0.0, "words": 0},
        {"temperature": 0.5, "unlabelled": 1.0, "pair_loss": 0.0},
    ),
    "colde:no_words": ({"words": 0}, {}),
    "colde:no_aug": ({"words": 0, "augment": False}, {"sections": 1}),
    "colde:no_lstm": ({"words": 0, "recurrent": False}, {}),
    "colde:no_cl": ({"words": 0, "contrastive": False, "augment": False}, {"sections": 1, "pair_loss": 0.0}),
}
"""Model name → what it changes in ColdeConfig and TrainConfig. The paper's ablations (4.5.1 to 4.5.3) are made
without the words channel, so that they show what each part does to the encoder's vectors."""


def read_settings(config: Path | None) -> dict[str, Any]:
    """A settings file as a dictionary, every name checked.

    Raises:
        ModelError: not a JSON file, or a setting that does not exist.
    """
    if config is None:
        return {}
    try:
        settings: dict[str, Any] = json.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{config}: not a readable JSON file ({error})") from None
    known = {"model": ColdeConfig, "training": TrainConfig}
    for part, cls in known.items():
        names = {f.name for f in fields(cls)}
        for key in settings.get(part, {}):
            if key not in names:
                raise ModelError(
                    f"{config}: {part} has no setting {key!r}; there are: {', '.join(sorted(names))}"
                )
    return settings
