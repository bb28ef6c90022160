"""Chromium, the server of the explorer, and how the studies wait for both."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from studies import ROOT

_PROGRAMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM = next(filter(Path.exists, _PROGRAMS), _PROGRAMS[-1])
"""Debian's chromium; the one without windows where it is installed, which opens a page in a fifth of the time."""
SETTLED = "[data-testid=stApp][data-test-connection-state=CONNECTED][data-test-script-state=notRunning]"
PATIENCE = 400_000
"""Milliseconds: models are loaded and the sample is encoded for the first picture."""
STARTING = 120.0
"""Seconds until the explorer must answer."""


@contextmanager
def chromium(*arguments: str, path: Path = CHROMIUM) -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", *arguments]
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def explorer(options: Sequence[str] = ()) -> Iterator[str]:
    """A running explorer, by its address, as soon as it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "colde", "app", "--port", str(port), *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + STARTING
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit("the explorer does not answer")
