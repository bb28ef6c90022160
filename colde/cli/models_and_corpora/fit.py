"""`colde fit`: a profile for a trained model, from labelled pairs of your own."""

from __future__ import annotations

from pathlib import Path

import click

from colde.cli.options import Settings, common_options, path_option, registered_model
from colde.cli.output_files import check_inputs_kept
from colde.cli.progress_bar import ProgressBar


@click.command()
@click.argument("model", callback=registered_model)
@path_option(
    "--corpus", "DIR", "A corpus folder: documents.jsonl.gz and valid.tsv with labels.", required=True
)
@click.option(
    "--profile", metavar="NAME", required=True, help="The name under which --profile finds it, e.g. legal."
)
@path_option(
    "--output",
    "DIR",
    "A folder for a checkpoint of the model with the profile, instead of the folder of your profiles.",
)
@click.option("--force", is_flag=True, help="Replace a profile of this name, or a checkpoint in --output.")
@common_options
def fit(settings: Settings, model: str, corpus: Path, profile: str, output: Path | None, force: bool) -> None:
    """Add a profile to MODEL, a trained model or the folder of a checkpoint.

    A profile holds threshold, calibration and background, and for CoLDE + words the weights of its parts. They are
    fitted on the pairs of valid.tsv, weighted as if half of them were related; no network is trained. Fewer than 100
    pairs give no probability. Every command, the service and the explorer then offer the profile for this model. It is
    saved in $COLDE_PROFILES, by default ~/.local/share/colde/profiles.

    \b
    Example:
      colde fit colde --corpus contracts --profile legal
      colde compare lease.pdf offer.pdf --model colde --profile legal
    """
    if output is not None:
        check_inputs_kept((corpus,), [output / "config.json", output / "model.safetensors"])
        if output.exists() and not output.is_dir():
            raise click.UsageError(f"{output} is a file: name a folder for the checkpoint")

    from colde.judge.profile_fit import ENOUGH_PAIRS
    from colde.training.user_profile import fit_user_profile

    with ProgressBar(settings) as bar:
        bar.stage(f"loading {model}")
        path, fitted = fit_user_profile(model, corpus, profile, output, force=force, on_progress=bar)
    pairs = int(fitted.measured["pairs"])
    settings.note(
        f"profile {profile}: threshold {fitted.threshold:.2f}, right on {fitted.measured['accuracy']:.0%} of {pairs:,} "
        f"validation pairs of {corpus.name}, weighted as if half were related"
    )
    if pairs < ENOUGH_PAIRS:
        settings.note(
            f"note: {pairs} pairs are few; with fewer than {ENOUGH_PAIRS} the profile gives no probability"
        )
    settings.note(f"wrote {path}")
