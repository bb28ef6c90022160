"""The converted network on disk: whole, checked, made again; and an encoder that works where nothing can be kept."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from colde.encoders import encoder
from colde.encoders.encoder import OpenVinoEncoder
from colde.encoders.kept_network import SUMS, intact, kept_network


def write(made: Path) -> None:
    (made / "network.xml").write_text("layers", encoding="utf-8")
    (made / "network.bin").write_bytes(bytes(range(256)) * 8)


def test_made_once(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "n"
    assert kept_network(folder, write) == folder
    assert kept_network(folder, lambda made: pytest.fail("made again")) == folder
    assert [p.name for p in folder.parent.iterdir()] == ["n"]


@pytest.mark.parametrize("damage", ["cut", "bit", "missing", "sums", "half"])
def test_what_is_damaged_is_made_again(damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "n"
    kept_network(folder, write)
    file = folder / "network.bin"
    data = file.read_bytes()
    if damage == "cut":
        file.write_bytes(data[:100])
    elif damage == "bit":
        file.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    elif damage == "missing":
        file.unlink()
    elif damage == "sums":
        (folder / SUMS).write_text("[1", encoding="utf-8")
    else:
        (folder / SUMS).unlink()
    assert not intact(folder)
    assert kept_network(folder, write) == folder
    assert intact(folder) and file.read_bytes() == data


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    def full(made: Path) -> None:
        write(made)
        raise OSError(28, "No space left on device")

    assert kept_network(tmp_path / "n", full) is None
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert kept_network(tmp_path / "file" / "n", write) is None


def test_several_at_once(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.encoders.test_kept_network import write;"
        "from colde.encoders.kept_network import kept_network;"
        "sys.exit(kept_network(Path(sys.argv[1]), write) is None)"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "n")]) for _ in range(3)]
    assert [p.wait() for p in running] == [0, 0, 0]
    assert intact(tmp_path / "n") and len(list(tmp_path.iterdir())) == 1


class Core:
    """As much of OpenVINO as the encoder asks for; reading a network gives its file's text."""

    def read_model(self, path: Path) -> Any:
        return types.SimpleNamespace(text=path.read_text("utf-8"), outputs=[Core()])

    def compile_model(self, model: Any, device: str, options: dict[str, str]) -> Any:
        return lambda inputs: [np.full((len(inputs["input_ids"]), 2), len(model.text))]

    partial_shape = (0, types.SimpleNamespace(get_length=lambda: 2))


@pytest.mark.parametrize("cache", ["off", "no home", "closed", "open"])
def test_an_encoder_where_nothing_can_be_kept(
    cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[Path] = []

    def save(model: Any, path: Path, compress_to_fp16: bool) -> None:
        path.write_text(model.text, encoding="utf-8")
        saved.append(path)

    fake = types.SimpleNamespace(Core=Core, save_model=save, __version__="2099.1.0-x")
    monkeypatch.setitem(sys.modules, "openvino", fake)
    converted = types.SimpleNamespace(text="layers", outputs=[Core()])
    monkeypatch.setattr(OpenVinoEncoder, "_convert", staticmethod(lambda folder: converted))
    monkeypatch.setenv("COLDE_CACHE", "off" if cache == "off" else "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if cache == "no home":
        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    if cache == "closed":
        (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    folder = encoder.packaged_encoder()
    for _ in range(2):
        ids = torch.ones((1, 3), dtype=torch.int64)
        assert OpenVinoEncoder(folder).mean_states(ids, ids).tolist() == [[6.0, 6.0]]
    assert len(saved) == (1 if cache == "open" else 0)
