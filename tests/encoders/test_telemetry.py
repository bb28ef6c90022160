"""Nothing is told of anybody: OpenVINO is used without its telemetry, which has names looked up and writes an id."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

TELEMETRY = """
import socket
from pathlib import Path

class Telemetry:
    def __init__(self, *arguments, **more):
        (Path.home() / "id").write_text("4711")
        socket.getaddrinfo("www.google-analytics.com", 443)
"""
OPENVINO = """
try:
    from openvino_telemetry import Telemetry
except ImportError:
    Telemetry = object
Telemetry()
"""
CLOSED = """
import socket
def refuse(*arguments, **more):
    print("looked up", *arguments)
    raise OSError("the network is closed")
socket.getaddrinfo = socket.gethostbyname = socket.create_connection = socket.socket.connect = refuse
"""
WITH_A_STUB = (
    CLOSED
    + """
from colde.encoders import encoder
print(encoder._openvino().__name__)
"""
)
CONVERTED = (
    CLOSED
    + """
from colde.encoders.encoder import encode_ids, load_encoder
import numpy as np
print(len(encode_ids(load_encoder(), [np.array([101, 2003, 102], np.int32)])))
"""
)


def run(code: str, home: Path, path: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=home,
        env={
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "COLDE_RUNTIME": "openvino",
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(
                filter(None, [str(path or ""), str(ROOT), os.environ.get("PYTHONPATH")])
            ),
        },
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_telemetry_that_lies_there_is_not_imported(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "openvino.py").write_text(OPENVINO, encoding="utf-8")
    (packages / "openvino_telemetry.py").write_text(TELEMETRY, encoding="utf-8")
    home = tmp_path / "home"
    home.mkdir()
    assert run(WITH_A_STUB, home, packages).split() == ["openvino"]
    assert list(home.iterdir()) == []


@pytest.mark.skipif(find_spec("openvino") is None, reason="OpenVINO is an extra")
def test_openvino_looks_up_no_name_and_writes_no_id(tmp_path: Path) -> None:
    assert run(CONVERTED, tmp_path).split() == ["1"]
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
