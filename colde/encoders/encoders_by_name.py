"""Encoders by the name that a user or a model gives: packaged, multilingual, a folder, or one of a hub."""

from __future__ import annotations

from functools import lru_cache

from colde.assets import weights_hash
from colde.encoders.bert.bert_files import read_encoder_config, reads_as_bert
from colde.encoders.bert.packed_bert import Bert
from colde.encoders.cancellation import interruptible
from colde.encoders.encoder import Encoder, PackedEncoder, tokenizer_of
from colde.encoders.encoder_names import MULTILINGUAL, PACKAGED, encoder_folder
from colde.encoders.runtime import compute_dtype
from colde.packaged_files import ENCODER_SHA256, ENCODER_TOKENIZER
from colde.text.chunks import TextTokenizer


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
