"""A real S3 server on this machine, for as long as the tests run: moto, in a process of its own.

Its packages do not go together with those of the program (botocore wants an older python-dateutil), so they lie in a
folder of their own, which `make test` fills: see requirements-s3.txt.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.patience import PATIENCE

PACKAGES = Path(os.environ.get("COLDE_S3_PACKAGES") or Path(__file__).resolve().parents[2] / ".venv" / "s3")
BUCKET = "papers"


def installed() -> bool:
    """Whether there is such a server."""
    return (PACKAGES / "moto").is_dir()


@contextmanager
def server() -> Iterator[dict[str, str]]:
    """The environment that leads to a bucket of an empty server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    host, port = address.split(":")
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", host, "-p", port],
        env={**os.environ, "PYTHONPATH": str(PACKAGES)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(f"http://{address}/{BUCKET}", process)
        yield {
            "AWS_ENDPOINT": f"http://{address}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
        }
    finally:
        process.kill()
        process.wait()


def _wait(bucket: str, process: subprocess.Popen[bytes]) -> None:
    """Make the bucket as soon as the server answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(urllib.request.Request(bucket, method="PUT")).close()
            return
        except (urllib.error.URLError, ConnectionError):
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.1)
