"""The progress bar: for people who wait at a terminal, and for nobody else."""

from __future__ import annotations

import threading

import pytest

import colde.cli.progress_bar
from colde.cli.options import Settings
from colde.cli.progress_bar import ProgressBar
from colde.results.progress import Progress, Stage


@pytest.fixture(autouse=True)
def at_once(monkeypatch) -> None:
    monkeypatch.setattr(colde.cli.progress_bar, "DELAY_SECONDS", 0.0)


def shown(capfd, settings: Settings) -> str:
    with ProgressBar(settings) as bar:
        for thread in threading.enumerate():
            if isinstance(thread, threading.Timer):
                thread.join()
        bar.stage("reading")
        bar(Progress(Stage.ENCODING, 3, 7))
    return capfd.readouterr().err


def test_on_a_terminal_it_shows_stage_and_count(capfd, monkeypatch) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("TERM", "xterm")
    text = shown(capfd, Settings())
    assert "encoding" in text
    assert "3 of 7" in text


def test_elsewhere_and_for_the_quiet_there_is_nothing(capfd, monkeypatch) -> None:
    assert shown(capfd, Settings()) == ""
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    assert shown(capfd, Settings(quiet=True)) == ""


def test_quick_work_shows_nothing_even_on_a_terminal(capfd, monkeypatch) -> None:
    monkeypatch.setattr(colde.cli.progress_bar, "DELAY_SECONDS", 3600.0)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with ProgressBar(Settings()) as bar:
        bar(Progress(Stage.ENCODING, 3, 7))
    assert capfd.readouterr().err == ""
