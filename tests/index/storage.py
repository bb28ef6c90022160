"""A real S3 server on this machine, for as long as the tests run: moto, in a process of its own.

Its packages do not go together with those of the program (botocore wants an older python-dateutil), so they lie in a
folder of their own, which `make test` fills: see requirements-s3.txt.
"""

from __future__ import annotations

import os
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.programs import serving

PACKAGES = Path(os.environ.get("COLDE_S3_PACKAGES") or Path(__file__).resolve().parents[2] / ".venv" / "s3")
BUCKET = "papers"
PROGRAM = """
import logging
from moto import backends, server
modules = frozenset(backends.list_of_moto_modules())
backends.list_of_moto_modules = lambda: modules
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server.MotoRequestHandler.wbufsize = -1
server.main()
"""
"""It looks for its modules on the disk once and not in each request, logs none, and sends an answer in one piece."""


def installed() -> bool:
    """Whether there is such a server."""
    return (PACKAGES / "moto").is_dir()


@contextmanager
def server() -> Iterator[dict[str, str]]:
    """The environment that leads to a bucket of an empty server."""

    def command(port: int) -> list[str]:
        return [sys.executable, "-c", PROGRAM, "-H", "127.0.0.1", "-p", str(port)]

    with serving(command, env={"PYTHONPATH": str(PACKAGES)}, health="moto-api/") as address:
        urllib.request.urlopen(urllib.request.Request(f"{address}/{BUCKET}", method="PUT")).close()
        yield {
            "AWS_ENDPOINT": address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
        }
