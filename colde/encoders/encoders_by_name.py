"""Encoders by the name that a user or a model gives: packaged, multilingual, a folder, or one of a hub."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from colde.assets import WEIGHTS, weights_hash
from colde.encoders.bert.bert_files import read_encoder_config, reads_as_bert
from colde.encoders.bert.packed_bert import Bert
from colde.encoders.cancellation import interruptible
from colde.encoders.encoder import Encoder, PackedEncoder, tokenizer_of
from colde.encoders.encoder_names import MULTILINGUAL, PACKAGED
from colde.encoders.runtime import compute_dtype
from colde.errors import ModelError
from colde.packaged_files import ENCODER_SHA256, ENCODER_TOKENIZER
from colde.text.chunks import TextTokenizer, packaged_encoder


def encoder_folder(name: str) -> Path:
    """The folder of an encoder: `packaged`, a folder, or a Hugging Face name, fetched where a hub is reachable.

    Raises:
        ModelError: no such folder, and no hub that has it.
    """
    if name == PACKAGED:
        return packaged_encoder()
    if Path(name).is_dir():
        return Path(name)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.safetensors"]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError):
        raise ModelError(
            f"{name}: no such folder, and no hub with an encoder of that name can be reached; "
            f"name a folder with config.json, tokenizer.json and {WEIGHTS}"
        ) from None


def shared_encoder(name: str = PACKAGED) -> Encoder:
    """The encoder that this process shares.

    Args:
        name: `packaged`, `multilingual`, a folder, or a Hugging Face name where a hub is reachable.

    Raises:
        ModelError: there is no such encoder, or it is damaged.
        MissingExtraError: the multilingual encoder is not installed.
    """
    return _loaded(name)


@lru_cache(maxsize=3)
def _loaded(name: str) -> Encoder:
    if name == MULTILINGUAL:
        from colde.encoders.multilingual_e5 import SHA256, multilingual_files

        bert = interruptible(Bert.of(multilingual_files()).to(compute_dtype()))
        return PackedEncoder(name, bert, encoder_tokenizer(name), SHA256)
    folder = encoder_folder(name)
    if name == PACKAGED and weights_hash(folder) != ENCODER_SHA256:
        raise ENCODER_TOKENIZER.damaged()
    if name == PACKAGED or reads_as_bert(read_encoder_config(folder)):
        return PackedEncoder.load(folder, name=name)
    from colde.encoders.transformers_encoder import TransformersEncoder

    return TransformersEncoder(name, folder)


def encoder_weights(name: str) -> str:
    """SHA-256 of the weights of an encoder; arguments and errors as in `shared_encoder`."""
    if name == MULTILINGUAL:
        from colde.encoders.multilingual_e5 import SHA256

        return SHA256
    return weights_hash(encoder_folder(name))


@lru_cache(maxsize=2)
def encoder_tokenizer(name: str) -> TextTokenizer:
    """The tokenizer of an encoder, without its weights; arguments and errors as in `shared_encoder`."""
    if name == MULTILINGUAL:
        from colde.encoders.multilingual_e5 import multilingual_tokenizer

        return multilingual_tokenizer()
    return tokenizer_of(encoder_folder(name))
