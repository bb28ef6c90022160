"""Runs that tests stop at a step."""

from __future__ import annotations

from collections.abc import Callable

from colde.results.progress import Progress, Stage


class Stop(Exception):
    """A run was stopped."""


def stop_at(step: int) -> Callable[[Progress], None]:
    """An `on_progress` that stops a run after this step of its first loop."""

    def show(progress: Progress) -> None:
        trains = progress.stage in (Stage.TRAINING, Stage.PRETRAINING) and not progress.subject
        if trains and progress.done >= step:
            raise Stop

    return show
