"""`colde encode-corpus`: a corpus into an index, by many workers on one machine or on a cluster."""

from __future__ import annotations

from pathlib import Path

import click

from colde.cli.indexes.index import index_option, report_added
from colde.cli.options import Settings, common_options, path_parameter
from colde.cli.progress_bar import ProgressBar


def _parse_gpus(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if value > 1 and value != int(value):
        raise click.BadParameter("a whole number, or a share of one GPU such as 0.25")
    return value


@click.command("encode-corpus")
@click.argument("paths", nargs=-1, required=True, type=path_parameter, metavar="PATH…")
@index_option
@click.option(
    "--ray",
    "address",
    default="local",
    show_default=True,
    metavar="ADDRESS",
    help="A Ray cluster (ray://HOST:10001, auto), or local: workers on this machine.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="How many workers.  [default: one for each processor core]",
)
@click.option(
    "--gpus-per-worker",
    "gpus",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    metavar="N",
    callback=_parse_gpus,
    help="GPUs for the encoder of each worker: a whole number, or a share of one (0.25: four workers on one).",
)
@common_options
def encode_corpus(
    settings: Settings,
    paths: tuple[Path, ...],
    folder: Path | str,
    address: str,
    workers: int | None,
    gpus: float,
) -> None:
    """Add files, folders of files, or corpora to the index DIR, read and encoded by many workers.

    Corpus and index lie in folders that every worker sees under the same name; the index may also lie on object
    storage (--index s3://BUCKET/NAME), whose credentials every worker has in its environment. Each document is added
    once, by its content, whatever workers die; stopped and started again, it goes on where it was.

    \b
    Example:
      colde encode-corpus papers/ --index papers.index --workers 4
    """
    from colde.index import ray_workers

    with ProgressBar(settings) as bar:
        bar.stage(f"starting workers for {folder}")
        added = ray_workers.encode_corpus(
            paths, folder, address=address, workers=workers, gpus=gpus, on_progress=bar
        )
    report_added(settings, added)
