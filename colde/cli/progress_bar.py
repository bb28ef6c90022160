"""A progress bar for work that takes over two seconds, on a terminal only."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING, Self

from colde.cli.options import Settings

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from colde.results.progress import Progress

DELAY_SECONDS = 2.0  # seconds of silence before the bar appears


class ProgressBar:
    """Shows the stages of long work: call it with every Progress, or `stage` where nothing can be counted.

        with ProgressBar(settings) as bar:
            bar.stage("reading")
            compare(a, b, on_progress=bar)

    It shows nothing if standard error is no terminal, or with `--quiet`.
    """

    def __init__(self, settings: Settings) -> None:
        self._quiet = settings.quiet
        self._bar: RichProgress | None = None
        self._timer: threading.Timer | None = None
        self._now: tuple[str, int, int | None] = ("starting", 0, None)

    def __enter__(self) -> Self:
        if self._quiet:
            return self
        from rich.console import Console

        console = Console(stderr=True)
        if console.is_terminal:
            from rich.progress import (
                BarColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[count]}", markup=False),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                console=console,
                transient=True,
            )
            self._bar.add_task(self._now[0], total=None, count="")
            self._timer = threading.Timer(DELAY_SECONDS, self._bar.start)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()  # it may be starting the bar
        if self._bar is not None:
            self._bar.stop()

    def stage(self, name: str) -> None:
        """Show a stage of unknown length."""
        self._show(name, 0, None)

    def __call__(self, progress: Progress) -> None:
        self._show(str(progress), progress.done, progress.total)

    def _show(self, name: str, done: int, total: int | None) -> None:
        if self._bar is not None:
            count = "" if total is None else f"{done:,} of {total:,}"
            task = self._bar.task_ids[0]
            self._bar.update(task, description=name, completed=done, total=total, count=count)
