"""`colde evaluate`: how well models tell similar pairs from others."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from colde.cli.options import (
    Settings,
    checked_prior,
    checked_profile,
    common_options,
    console,
    model_option,
    path_parameter,
    profile_option,
    reference_option,
)
from colde.cli.output_files import check_outputs, escape_control_characters, write_text
from colde.cli.progress_bar import ProgressBar
from colde.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from colde.corpus.corpus_folder import Pair
    from colde.judge.reference import Reference
    from colde.text.document import Document


@click.command()
@click.option(
    "--corpus", type=path_parameter, metavar="DIR", required=True, help="A folder with documents.jsonl.gz."
)
@click.option(
    "--pairs",
    type=path_parameter,
    metavar="TSV",
    required=True,
    help="Columns source, target and label (0, 1).",
)
@model_option(required=True)
@profile_option
@reference_option
@click.option(
    "--prior",
    type=float,
    metavar="SHARE",
    callback=checked_prior,
    help="Measure as if this share of the pairs were similar: pairs are weighted, probabilities are for it.",
)
@click.option("--json", "json_path", type=path_parameter, metavar="FILE", help="The same table as JSON.")
@common_options
def evaluate(
    settings: Settings,
    corpus: Path,
    pairs: Path,
    names: tuple[str, ...],
    profile: str,
    reference: Path | None,
    prior: float | None,
    json_path: Path | None,
) -> None:
    """Measure models on labelled pairs.

    Precision, recall, F1, accuracy, ROC AUC, average precision, calibration error and Brier score, each with a 95 %
    bootstrap interval over sources. The threshold is the model's own, of the profile; it is never fitted to these
    pairs. Precision, F1, accuracy, average precision, calibration error and Brier score depend on how many of the
    pairs are similar: --prior says what they would be in a pile of another make.

    \b
    Example:
      colde evaluate --corpus corpora/papers --pairs corpora/papers/valid.tsv --model colde,tfidf --profile papers
    """
    check_outputs((corpus / "documents.jsonl.gz", pairs, reference), json_path)

    from colde.corpus.corpus_folder import read_pairs, record_to_document
    from colde.evaluation.metrics import DRAWS
    from colde.evaluation.pair_scores import records_of
    from colde.judge.reference import read_reference

    checked_profile(profile, names)
    everything = read_pairs(pairs)
    labelled = [pair for pair in everything if pair.label is not None]
    if not labelled:
        raise CorpusError(f"{pairs}: no pair has a label, so there is nothing to measure against")
    if len(labelled) < len(everything):
        settings.note(f"note: {len(everything) - len(labelled):,} pairs without a label are left out")
    result: dict[str, Any] = {
        "corpus": str(corpus),
        "pairs": str(pairs),
        "labelled": len(labelled),
        "similar": sum(pair.label == 1 for pair in labelled),
        "sources": len({pair.source for pair in labelled}),
        "profile": profile,
        "prior": prior,
        "reference": None if reference is None else str(reference),
        "draws": DRAWS,
        "models": [],
    }
    with ProgressBar(settings) as bar:
        bar.stage(f"reading {corpus}")
        records = records_of(corpus, ((pair.source, pair.target) for pair in labelled))
        document = cache(lambda name: record_to_document(records[name]))
        reference_set = read_reference(reference, bar) if reference is not None else None
        for name in names:
            result["models"].append(
                _measure_model(name, document, labelled, profile, reference_set, prior, DRAWS, bar)
            )

    _print_evaluation(result, console())
    if json_path is not None:
        write_text(
            json_path,
            escape_control_characters(json.dumps(result, ensure_ascii=False, indent=1, allow_nan=False))
            + "\n",
        )
        settings.note(f"wrote {json_path}")


def _measure_model(
    name: str,
    document: Callable[[str], Document],
    pairs: Sequence[Pair],
    profile: str,
    reference: Reference | None,
    prior: float | None,
    draws: int,
    bar: ProgressBar,
) -> dict[str, Any]:
    """One model's row of the table."""
    from colde import models
    from colde.comparison.apply_reference import apply_reference
    from colde.evaluation.metrics import bootstrap, prior_weights
    from colde.evaluation.pair_scores import score_pairs
    from colde.judge.calibration import judge

    bar.stage(f"loading {name}")
    ids = [(pair.source, pair.target) for pair in pairs]
    matcher, background = apply_reference(models.load(name), profile, reference, on_progress=bar)
    scores = list(score_pairs(matcher, document, ids, on_progress=bar))
    bar.stage(f"measuring {matcher.card.title}")
    judged = [judge(score, matcher.profiles, profile, background) for score in scores]
    if prior is not None:
        judged = [one.at_prior(prior) for one in judged]
    probabilities = [one.probability for one in judged if one.probability is not None]
    measures = bootstrap(
        [pair.label or 0 for pair in pairs],
        scores,
        judged[0].threshold,
        probabilities if len(probabilities) == len(scores) else None,
        [pair.source for pair in pairs],
        draws=draws,
        weights=None if prior is None else prior_weights([pair.label or 0 for pair in pairs], prior),
    )
    known, used = models.info(name)["profiles"], judged[0].profile
    return {
        "name": name,
        "title": matcher.card.title,
        "profile": used,
        "threshold": judged[0].threshold,
        "checkpoint": known[used]["checkpoint"] if used else None,
        "parameters": matcher.parameters,
        "measures": {
            measure: {key: None if math.isnan(value) else value for key, value in asdict(found).items()}
            for measure, found in measures.items()
        },
    }


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
    """Print the data measured on, the table, and how to read it."""
    from rich.text import Text

    from colde.report.formatting import counted
    from colde.report.verdict import as_ratio

    console.print(
        Text(
            f"{result['pairs']} of {result['corpus']}: {counted(result['labelled'], 'pair')}, "
            f"{result['similar']:,} similar, {counted(result['sources'], 'source')}; profile {result['profile']}"
            + (
                ""
                if result["prior"] is None
                else f"; weighted as if {as_ratio(result['prior'])} were similar"
            )
        )
    )
    fitting = max((console.width - 20) // 18, 1)
    for first in range(0, len(result["models"]), fitting):
        console.print()
        console.print(_table(result["models"][first : first + fitting]))
    console.print()
    console.print(
        Text(
            f"Behind each value its 95 % interval: {result['draws']:,} bootstrap draws over the sources. "
            "Calibration error and Brier score: smaller is better.",
            style="dim",
        )
    )


def _table(models: Sequence[Mapping[str, Any]]) -> Table:
    """A column a model, a row a measure with its interval."""
    from colde.report.formatting import count, plain_table

    table = plain_table()
    table.add_column("")
    for model in models:
        table.add_column(model["name"])
    table.add_row("profile", *(model["profile"] or "none" for model in models))
    table.add_row("threshold", *(_digits(model["threshold"]) for model in models))
    table.add_row("checkpoint", *(model["checkpoint"] or "none" for model in models))
    table.add_row("parameters", *(count(model["parameters"]) for model in models))
    for name, title in _MEASURE_TITLES.items():
        found = [model["measures"][name] for model in models]
        table.add_row(
            title,
            *(f"{_digits(f['value'])}  {_digits(f['low'])}–{_digits(f['high'])}" for f in found),
        )
    return table


def _digits(value: float | None) -> str:
    """Three digits, without the leading zero."""
    return "–" if value is None else f"{value:.3f}".removeprefix("0")
