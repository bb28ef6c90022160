"""`colde train`: a checkpoint from labelled pairs."""

from __future__ import annotations

from pathlib import Path

import click

from colde.cli.options import Settings, common_options, path_option, registered_model
from colde.cli.output_files import check_inputs_kept
from colde.cli.progress_bar import ProgressBar


@click.command()
@click.argument("model", callback=registered_model)
@path_option(
    "--corpus corpora",
    "DIR",
    "A corpus folder; give it several times to train on several.",
    multiple=True,
    required=True,
)
@path_option("--output", "DIR", "Where the checkpoint goes.", required=True)
@path_option("--config", "FILE", "Settings that differ from the model's own.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The same seed gives the same checkpoint."
)
@click.option("--profile", metavar="NAME", help="A profile of your own for one corpus, e.g. legal.")
@click.option(
    "--encoder",
    metavar="packaged|multilingual|NAME|FOLDER",
    help="The sentence encoder, for models that use one; by default that of the settings.",
)
@click.option("--resume", is_flag=True, help="Continue where an earlier run into the same folder stopped.")
@common_options
def train(
    settings: Settings,
    model: str,
    corpora: tuple[Path, ...],
    output: Path,
    config: Path | None,
    seed: int,
    profile: str | None,
    encoder: str | None,
    resume: bool,
) -> None:
    """Train MODEL on one or several corpora, with early stopping on their valid.tsv.

    Can be stopped at any step (Ctrl-C) and continued with --resume.

    \b
    Example:
      colde train colde --corpus corpora/papers --corpus corpora/articles --output checkpoint
      colde train tfidf --corpus contracts --profile legal --output legal
    """
    if config is not None and not config.is_file():
        raise click.UsageError(f"{config}: there is no such settings file")
    check_inputs_kept((config,), [output / "config.json", output / "model.safetensors"])
    if output.exists() and not output.is_dir():
        raise click.UsageError(f"{output} is a file: name a folder for the checkpoint")

    from colde.training.training_run import train as train_model

    with ProgressBar(settings) as bar:
        bar.stage(f"preparing to train {model}")
        checkpoint = train_model(
            model,
            list(corpora),
            output,
            config,
            seed,
            resume,
            on_progress=bar,
            profile=profile,
            encoder=encoder,
        )
    settings.note(f"wrote {checkpoint}")
