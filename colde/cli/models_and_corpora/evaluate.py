"""`colde evaluate`: how well models tell similar pairs from others."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from colde.cli import options
from colde.cli.models_and_corpora.labelled_pairs import JudgedModel, LabelledPairs
from colde.cli.output_files import Outputs, indented_json
from colde.cli.progress_bar import ProgressBar
from colde.encoders.encoder_names import choose_encoder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from colde.judge.calibration import Judgement


@click.command()
@options.path_option("--corpus", "DIR", "A folder with documents.jsonl.gz.", required=True)
@options.path_option("--pairs", "TSV", "Columns source, target and label (0, 1).", required=True)
@options.model_option(required=True)
@options.profile_option
@options.reference_option
@click.option(
    "--prior",
    type=options.Share(),
    metavar="SHARE",
    help=(
        "Measure as if this share of the pairs were similar: pairs are weighted, and probabilities are computed "
        "for it."
    ),
)
@options.encoder_option
@options.path_option("--json json_path", "FILE", "The same table as JSON.")
@options.common_options
def evaluate(
    settings: options.Settings,
    corpus: Path,
    pairs: Path,
    names: tuple[str, ...],
    profile: str,
    reference: Path | None,
    prior: float | None,
    encoder: str,
    json_path: Path | None,
) -> None:
    """Measure models on labelled pairs.

    Precision, recall, F1, accuracy, ROC AUC, average precision, calibration error and Brier score, each with a 95 %
    interval from a bootstrap, clustered by both documents of a pair (of shares, Wilson's). The threshold is that of
    the profile; it is never fitted to these pairs. With --profile auto, pairs of several kinds have several
    thresholds, and are ranked by the distance of score and threshold. Precision, F1, accuracy, average precision,
    calibration error and Brier score depend on how many of the pairs are similar: --prior says what they would be for
    another share. Pairs of a document that cannot be processed are left out; a line names it.

    \b
    Example:
      colde evaluate --corpus corpora/papers --pairs corpora/papers/valid.tsv --model colde,tfidf --profile papers
    """
    outputs = Outputs(json=json_path)
    outputs.check((corpus / "documents.jsonl.gz", pairs, reference))

    from colde.evaluation.metrics import DRAWS
    from colde.judge.reference import read_reference

    encoder = choose_encoder(encoder, ())
    options.checked_profile(profile, names)
    with ProgressBar(settings) as bar:
        without_labels = f"{pairs}: no pair has a label, so nothing can be measured"
        labelled = LabelledPairs(corpus, pairs, without_labels, bar)
        if labelled.unlabelled:
            settings.note(f"note: {labelled.unlabelled:,} pairs without a label are left out")
        reference_set = read_reference(reference, bar) if reference is not None else None
        measured, skipped = [], {}
        for name in names:
            model = labelled.judged_by(name, profile, reference_set, bar, encoder)
            skipped[name] = model.skipped
            measured.append(_measure_model(model, name, prior, bar))
    for name, errors in skipped.items():
        for error in errors:
            settings.note(f"{name}: pairs are left out: {error}")
    result = {
        "corpus": str(corpus),
        "pairs": str(pairs),
        "labelled": len(labelled.pairs),
        "similar": sum(pair.label == 1 for pair in labelled.pairs),
        "sources": len({pair.source for pair in labelled.pairs}),
        "profile": profile,
        "prior": prior,
        "reference": None if reference is None else str(reference),
        "draws": DRAWS,
        "models": measured,
    }
    _print_evaluation(result, options.console())
    outputs.write(settings, json=lambda: indented_json(result) + "\n")


def _measure_model(model: JudgedModel, name: str, prior: float | None, bar: ProgressBar) -> dict[str, Any]:
    from colde import models
    from colde.evaluation.metrics import DRAWS, bootstrap
    from colde.results.verdicts.prior import prior_weights

    bar.stage(f"measuring {model.matcher.card.title}")
    judged = [one if prior is None else one.at_prior(prior) for one in model.judged]
    used = Counter(one.profile or "no profile" for one in judged)
    only = judged[0] if len(used) == 1 else None
    scores, threshold = _scores_and_threshold(model.scores, judged, only)
    labels = [pair.label or 0 for pair in model.pairs]
    measures = bootstrap(
        labels,
        scores,
        threshold,
        _probabilities(judged),
        [(pair.source, pair.target) for pair in model.pairs],
        draws=DRAWS,
        weights=None if prior is None else prior_weights(labels, prior),
    )
    profiles = models.info(name)["profiles"].values()
    return {
        "name": name,
        "title": model.matcher.card.title,
        "profile": ", ".join(used) if only is None else only.profile,
        "pairs_by_profile": dict(used),
        "threshold": None if only is None else only.threshold,
        "checkpoint": next((p["checkpoint"] for p in profiles), None),
        "parameters": model.matcher.parameters,
        "measures": {measure: _without_nan(asdict(value)) for measure, value in measures.items()},
    }


def _scores_and_threshold(
    scores: Sequence[float], judged: Sequence[Judgement], only: Judgement | None
) -> tuple[Sequence[float], float | None]:
    """Scores and their threshold; the distances from the threshold, where pairs have several."""
    if only is not None:
        return scores, only.threshold
    return [s - (j.threshold or 0.0) for s, j in zip(scores, judged, strict=True)], 0.0


def _probabilities(judged: Sequence[Judgement]) -> list[float] | None:
    known = [one.probability for one in judged if one.probability is not None]
    return known if len(known) == len(judged) else None


def _without_nan(values: Mapping[str, float]) -> dict[str, float | None]:
    return {key: None if math.isnan(value) else value for key, value in values.items()}


_MEASURE_TITLES = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "accuracy": "accuracy",
    "roc_auc": "ROC AUC",
    "average_precision": "average precision",
    "calibration_error": "calibration error",
    "brier": "Brier",
}


def _print_evaluation(result: Mapping[str, Any], console: Console) -> None:
    from rich.text import Text

    from colde.report.formatting import counted
    from colde.results.verdicts.verdict_words import as_ratio

    prior = result["prior"]
    weighted = "" if prior is None else f"; weighted as if {as_ratio(prior)} were similar"
    measured_on = (
        f"{result['pairs']} of {result['corpus']}: {counted(result['labelled'], 'pair')}, "
        f"{result['similar']:,} similar, {counted(result['sources'], 'source')}; profile {result['profile']}{weighted}"
    )
    console.print(Text(measured_on))
    fitting = max((console.width - 20) // 20, 1)
    for first in range(0, len(result["models"]), fitting):
        console.print()
        console.print(_table(result["models"][first : first + fitting]))
    console.print()
    console.print(
        Text(
            f"Each value is followed by its 95 % interval ({result['draws']:,} bootstrap draws, clustered by both "
            "documents). Calibration error and Brier score: smaller is better.",
            style="dim",
        )
    )


def _table(models: Sequence[Mapping[str, Any]]) -> Table:
    from colde.report.formatting import count, number_or_dash, plain_table

    table = plain_table("", *(model["name"] for model in models))
    table.add_row("profile", *(model["profile"] or "none" for model in models))
    table.add_row("threshold", *(number_or_dash(model["threshold"], 3) for model in models))
    table.add_row("checkpoint", *(model["checkpoint"] or "none" for model in models))
    table.add_row("parameters", *(count(model["parameters"]) for model in models))
    for name, title in _MEASURE_TITLES.items():
        cells = []
        for model in models:
            value, low, high = (
                number_or_dash(model["measures"][name][k], 3) for k in ("value", "low", "high")
            )
            cells.append(f"{value}  {low}–{high}")
        table.add_row(title, *cells)
    return table
