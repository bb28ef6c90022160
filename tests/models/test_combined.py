"""The combined verdict: its fit against scikit-learn, its arithmetic by hand, and that no model runs twice."""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import colde
from colde import models
from colde.errors import Cancelled, CheckpointError, ModelError
from colde.evaluation.contract import sample_pair
from colde.match.pipeline import compare_steps
from colde.models.base import Matcher
from colde.models.combined import Combined, Formula, Part, to_log_odds
from colde.models.registry import CARDS
from colde.results.encoding import Encoding
from colde.results.progress import Progress, Stage
from colde.text.document import Document
from colde.training.combined import apply, cross_fitted, fit_combined, fit_formula
from colde.training.combined_scores import valid_scores
from colde.training.run import train

FORMULAS = {
    "general": Formula(-0.25, (Part("tfidf", 6.0, 0.2), Part("bm25", 3.0, 0.1))),
    "papers": Formula(0.5, (Part("bm25", 9.0, 0.3),)),
}


def table(pairs: int, profile: str, seed: int, **noise: float) -> pd.DataFrame:
    """Scores that are the label plus noise, three pairs a source on average."""
    random = np.random.default_rng(seed)
    label = random.integers(2, size=pairs)
    scores = {n: 0.3 + 0.1 * label + random.normal(0, s, pairs) for n, s in noise.items()}
    source = [f"s{i}" for i in random.integers(pairs // 3, size=pairs)]
    return pd.DataFrame({"profile": profile, "source": source, "label": label, **scores})


@pytest.fixture(scope="module")
def pair() -> list[Document]:
    return list(sample_pair())


def test_contributions_of_members_become_parts_of_the_probability(pair: list[Document]) -> None:
    mixed = Formula(-0.25, (Part("tfidf", 6.0, 0.2), Part("dssm", 2.0, 0.3), Part("smash_rnn", 0.4, 0.1)))
    combined = Combined({"general": mixed})
    result = combined.match(*combined.encode(pair))
    members = {n: models.load(n).match(*models.load(n).encode(pair)) for n in combined.needs}
    start = dict.fromkeys(members, 0.0)
    for name, found in members.items():
        start[name] = found.maps["contribution_section"].reference or 0.0
    for level in ("section", "chunk", "sentence"):
        m = result.maps[f"contribution_{level}"]
        assert m.reference == pytest.approx(mixed.probability(start))
        whole = float(m.values.sum(dtype=np.float64)) + (m.reference or 0) + (m.residual or 0)
        assert whole == pytest.approx(result.score) and abs(m.residual or 0) < 0.01 * result.score
    alone = Combined({"general": Formula(0.1, (Part("tfidf", 6.0, 0.2),))})
    found = alone.match(*alone.encode(pair)).maps["contribution_section"].values
    theirs = members["tfidf"].maps["contribution_section"].values
    np.testing.assert_allclose(found / found.sum(), theirs / theirs.sum(), atol=1e-6)


# fit ----------------------------------------------------------------------------------------------------


def test_weights_and_out_of_fold_scores_are_scikit_learns() -> None:
    data = table(240, "papers", 1, tfidf=0.1, bm25=0.15, minilm=0.2)
    names = ["tfidf", "bm25", "minilm"]
    x, y, even = data[names].to_numpy(), data["label"].to_numpy(), np.ones(len(data))
    theirs = make_pipeline(StandardScaler(), LogisticRegression())
    formula = fit_formula(x, y, even, names)
    assert [p.name for p in formula.parts] == names
    np.testing.assert_allclose(apply(formula, x, names), theirs.fit(x, y).predict_proba(x)[:, 1], atol=1e-6)
    groups = data["source"].to_numpy()
    expected = cross_val_predict(theirs, x, y, groups=groups, cv=GroupKFold(5), method="predict_proba")[:, 1]
    one = np.full(len(data), "papers")
    np.testing.assert_allclose(cross_fitted(x, y, even, groups, one, names, 5), expected, atol=1e-6)


def test_no_weight_is_negative() -> None:
    data = table(300, "papers", 2, tfidf=0.1, bm25=0.2)
    data["minilm"] = -data["tfidf"] + np.random.default_rng(0).normal(0, 0.05, 300)
    data["colde"] = 0.5  # says nothing at all
    names = ["minilm", "tfidf", "bm25", "colde"]
    formula = fit_formula(data[names].to_numpy(), data["label"].to_numpy(), np.ones(300), names)
    assert {p.name for p in formula.parts} == {"tfidf", "bm25"}
    assert all(p.weight > 0 for p in formula.parts)
    with pytest.raises(ModelError, match="no score tells"):
        fit_formula(data[["minilm"]].to_numpy(), data["label"].to_numpy(), np.ones(300), ["minilm"])


def test_figures_are_honest_where_there_is_nothing_to_learn() -> None:
    random = np.random.default_rng(4)
    names = ["tfidf", "bm25", "minilm", "colde"]
    x, y = random.normal(size=(60, 4)), np.arange(60) % 2
    seen = roc_auc_score(y, apply(fit_formula(x, y, np.ones(60), names), x, names))
    sources, one = np.arange(60).astype(str), np.full(60, "papers")
    unseen = roc_auc_score(y, cross_fitted(x, y, np.ones(60), sources, one, names, 5))
    assert unseen < 0.55 < seen


def test_profiles_and_missing_models() -> None:
    papers = table(200, "papers", 5, tfidf=0.1, bm25=0.1)
    wiki = table(100, "encyclopedia", 6, tfidf=0.1, bm25=0.3, minilm=0.05)
    scores = pd.concat([papers, wiki], ignore_index=True)
    background = scores[scores["label"] == 0].drop(columns=["label", "source"])
    combined = fit_combined(scores, background)
    assert list(combined.profiles) == list(combined.formulas) == ["general", "papers", "encyclopedia"]
    of = {k: {p.name for p in f.parts} for k, f in combined.formulas.items()}
    assert of == {key: {"tfidf", "bm25"} for key in combined.profiles}  # of minilm papers know nothing
    assert combined.formulas["papers"].parts[0].weight == combined.formulas["encyclopedia"].parts[0].weight
    for name, profile in combined.profiles.items():
        assert profile.calibration is not None and profile.calibration.slope > 0
        assert list(profile.quantiles) == sorted(profile.quantiles) and len(profile.quantiles) == 101
        assert profile.measured["auc"] > combined.training["best_single_auc"][name][1] - 0.02
    with pytest.raises(ModelError, match="encyclopedia has no random pairs"):
        fit_combined(scores, background[background["profile"] == "papers"])
    scores.loc[3, "bm25"] = np.nan
    with pytest.raises(ModelError, match="bm25 has scores for some pairs of papers only"):
        fit_combined(scores, background)


def test_a_profile_on_another_scale_keeps_its_own_mean() -> None:
    papers, wiki = table(200, "papers", 5, tfidf=0.1), table(200, "encyclopedia", 6, tfidf=0.1)
    wiki["tfidf"] += 5
    scores = pd.concat([papers, wiki], ignore_index=True)
    combined = fit_combined(scores, scores[["profile", "tfidf"]])
    low, high = (combined.formulas[p].parts[0] for p in ("papers", "encyclopedia"))
    assert high.centre - low.centre == pytest.approx(5, abs=0.05) and high.weight == low.weight
    for profile in ("papers", "encyclopedia"):
        assert combined.profiles[profile].measured["auc"] > 0.7
    assert combined.profiles["general"].measured["auc"] < 0.7  # one mean for both says little


def test_general_gives_each_profile_the_same_weight() -> None:
    papers, wiki = table(200, "papers", 5, tfidf=0.1), table(100, "encyclopedia", 6, tfidf=0.1)
    background = pd.concat([papers, wiki])[["profile", "tfidf"]]
    once = fit_combined(pd.concat([papers, wiki]), background).formulas["general"]
    wiki_twice = pd.concat([wiki, wiki.assign(source=wiki["source"] + "x")])
    twice = fit_combined(pd.concat([papers, wiki_twice]), background).formulas["general"]
    # twice the pairs of one profile change the mean weight (and so the penalty) a little, the balance not at all
    assert once.parts[0].centre == pytest.approx(twice.parts[0].centre)
    assert once.bias == pytest.approx(twice.bias, abs=5e-3)
    assert once.parts[0].weight == pytest.approx(twice.parts[0].weight, rel=0.05)


# matcher ------------------------------------------------------------------------------------------------


def test_shares_add_up_by_hand() -> None:
    scores = {"tfidf": 0.5, "bm25": 0.05}
    formula = FORMULAS["general"]
    assert formula.shares(scores) == {"tfidf": pytest.approx(1.8), "bm25": pytest.approx(-0.15)}
    assert formula.probability(scores) == pytest.approx(1 / (1 + math.exp(0.25 - 1.8 + 0.15)))
    assert to_log_odds(0.8, "probability") == pytest.approx(math.log(4)) and to_log_odds(0.8, "cosine") == 0.8
    assert math.isfinite(to_log_odds(1.0, "probability")) and math.isfinite(to_log_odds(0.0, "probability"))


def test_combines_what_the_models_say(pair: list[Document]) -> None:
    combined = Combined(FORMULAS)
    said = {n: models.load(n).match(*models.load(n).encode(pair)).score for n in ("tfidf", "bm25")}
    score = combined.match(*combined.encode(pair)).score
    assert score == pytest.approx(FORMULAS["general"].probability(said))
    assert combined.match(*combined.encode(pair, explain=False), explain=False).score == score
    in_papers = combined.for_profile("papers")
    assert in_papers.match(*in_papers.encode(pair)).score == pytest.approx(
        FORMULAS["papers"].probability(said)
    )
    assert combined.for_profile("textbooks").formula == FORMULAS["general"], "it has no weights of its own"


def test_most_like_itself_and_symmetric_with_symmetric_models(pair: list[Document]) -> None:
    combined = Combined(FORMULAS)
    a, b = combined.encode(pair)
    assert combined.match(a, a).score > combined.match(a, b).score < combined.match(b, b).score
    assert combined.match(a, b).score == pytest.approx(combined.match(b, a).score, abs=1e-6)


def test_short_and_long_documents() -> None:
    texts = [
        "Fog.",
        "Harbour pilots read tide and wind. " * 1000,
        "# One\n\nFog came in over the bar at dawn.",
    ]
    combined = Combined(FORMULAS)
    encoded = combined.encode([colde.read_text(t) for t in texts])
    for a in encoded:
        for b in encoded:
            assert 0 <= combined.match(a, b).score <= 1
            for m in combined.match(a, b).maps.values():
                assert np.isfinite(m.values).all()


def test_views_are_those_of_the_greatest_share_and_say_all(pair: list[Document]) -> None:
    combined = Combined(FORMULAS)
    members = {n: models.load(n).match(*models.load(n).encode(pair)) for n in combined.needs}
    shares = combined.formula.shares({n: m.score for n, m in members.items()})
    leading = max(shares, key=lambda n: abs(shares[n]))
    result, of_theirs = combined.match(*combined.encode(pair)), members[leading]
    found = result.maps["section"]
    np.testing.assert_array_equal(found.values, of_theirs.maps["section"].values)
    assert f"{CARDS[leading].title} {shares[leading]:+.2f}" in found.meaning and "-0.25" in found.meaning
    assert tuple(replace(e, model=leading) for e in result.evidence) == of_theirs.evidence
    assert {e.model for e in result.evidence} == {"combined"}


def test_reports_progress_and_can_be_stopped(pair: list[Document]) -> None:
    seen: list[Progress] = []
    Combined(FORMULAS).encode(pair, on_progress=seen.append)
    assert {(p.subject, p.stage) for p in seen} == {("TF-IDF", Stage.WORDS), ("BM25", Stage.WORDS)}

    def stop(progress: Progress) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        Combined(FORMULAS).encode(pair, on_progress=stop)


def test_save_and_load(pair: list[Document], tmp_path: Path) -> None:
    scores = table(200, "papers", 5, tfidf=0.1, bm25=0.1)
    combined = fit_combined(scores, scores[["profile", "tfidf", "bm25"]])
    combined.save(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["config.json"]
    copy = models.load(tmp_path)
    assert isinstance(copy, Combined)
    assert copy.formulas == combined.formulas and copy.profiles.keys() == combined.profiles.keys()
    assert copy.match(*copy.encode(pair)).score == combined.match(*combined.encode(pair)).score
    text = (tmp_path / "config.json").read_text()
    (tmp_path / "config.json").write_text(text.replace('"tfidf": null', '"tfidf": "another"'))
    with pytest.raises(CheckpointError, match="tfidf was trained again since"):
        models.load(tmp_path)
    (tmp_path / "config.json").write_text(text.replace('"tfidf": null', '"nothing": null'))
    with pytest.raises(ModelError, match="needs nothing, which is not trained"):
        models.load(tmp_path)


# in a comparison ----------------------------------------------------------------------------------------


class Counting:
    """A matcher that counts its documents."""

    def __init__(self, inner: Matcher, count: Counter[str]) -> None:
        self._inner, self._count = inner, count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def encode(self, documents: Sequence[Document], **options: Any) -> list[Encoding]:
        self._count[self._inner.card.name] += len(documents)
        return self._inner.encode(documents, **options)


@pytest.mark.parametrize("asked", [["tfidf", "bm25"], ["bm25"], []])
def test_no_model_runs_twice(asked: list[str], pair: list[Document], tmp_path: Path) -> None:
    profiles = {"general": replace(models.load("tfidf").profiles["general"])}
    Combined(FORMULAS, profiles=profiles).save(tmp_path)
    count: Counter[str] = Counter()

    def loader(name: str) -> Matcher:
        model = models.load(name)
        return model if isinstance(model, Combined) else Counting(model, count)  # type: ignore[return-value]

    folder = str(tmp_path)
    *_, last = compare_steps(*pair, [folder, *asked], loader=loader)
    assert count == {"tfidf": 2, "bm25": 2}  # also those that were not asked for
    assert [s.name for s in last.results] == [folder, *asked]
    alone = Combined(FORMULAS)
    encoded = alone.encode(pair)
    result = alone.match(*encoded)
    assert last.results[0].score == pytest.approx(result.score, abs=1e-6)
    assert last.results[0].read_a == encoded[0].coverage
    assert last.maps[folder]["section"].meaning == result.maps["section"].meaning
    in_papers = colde.compare(*pair, models=[folder, *asked], profile="papers")
    in_them = alone.for_profile("papers")
    score = in_them.match(*in_them.encode(pair)).score
    assert in_papers.results[0].score == pytest.approx(score)


# scoring validation pairs -------------------------------------------------------------------------------


SEA = ["fog", "bar", "tide", "pilot", "lamp", "keel", "mast", "dawn"]
BREAD = ["dawn", "bread", "oven", "yeast", "flour", "salt", "crust", "lamp"]
TEXTS = 12


def labelled(folder: Path, valid: list[tuple[str, str, int]]) -> dict[str, str]:
    """Write a corpus of a dozen texts of random words, in turn of one subject and of another; the texts by name."""
    random = np.random.default_rng(2)
    texts = {f"d{i}": " ".join(random.choice(BREAD if i % 2 else SEA, 40)) + "." for i in range(TEXTS)}
    folder.mkdir()
    with gzip.open(folder / "documents.jsonl.gz", "wt") as file:
        for name, text in texts.items():
            record = {"id": name, "title": "", "sections": [{"heading": "One", "paragraphs": [text]}]}
            file.write(json.dumps(record) + "\n")
    for split, rows in (("train", [("d1", "d2", 1)]), ("valid", valid)):
        lines = ["source\ttarget\tlabel", *("\t".join(map(str, r)) for r in rows)]
        (folder / f"{split}.tsv").write_text("\n".join(lines) + "\n")
    return texts


@pytest.mark.slow
def test_trained_from_a_corpus_alone(tmp_path: Path) -> None:
    folder = tmp_path / "peps"
    labelled(folder, [(f"d{i}", f"d{(i + k) % TEXTS}", 1 - k % 2) for i in range(TEXTS) for k in (1, 2, 3)])
    config = tmp_path / "settings.json"
    config.write_text('{"models": ["tfidf", "bm25"]}')
    checkpoint = train("combined", [folder], tmp_path / "out", config)
    combined = models.load(checkpoint)
    assert isinstance(combined, Combined)
    assert set(combined.members) <= {"tfidf", "bm25"} and combined.members
    assert set(combined.profiles) == {"general", "proposals"}


def test_tables_for_the_fit(tmp_path: Path) -> None:
    valid = [("d0", "d1", 1), ("d0", "d2", 0), ("d3", "d4", 1), ("d5", "d6", 0)]
    folder = tmp_path / "peps"
    texts = labelled(folder, valid)
    count: Counter[str] = Counter()
    matchers: dict[str, Any] = {n: Counting(models.load(n), count) for n in ("tfidf", "bm25")}
    (scores, background), (general, _) = valid_scores(matchers, [folder], unrelated=40)
    assert general.equals(scores)  # no model here scores otherwise under another profile
    assert scores[["profile", "source", "label"]].values.tolist() == [
        ["proposals", a, y] for a, _, y in valid
    ]
    for (a, b, _), score in zip(valid, scores["tfidf"], strict=True):
        one, other = (colde.read_text(f"# One\n\n{texts[n]}") for n in (a, b))
        tfidf = models.load("tfidf")
        assert score == pytest.approx(tfidf.match(*tfidf.encode([one, other])).score, abs=1e-5)
    assert count == {"tfidf": 7, "bm25": 7}  # documents of validation pairs, each once
    assert len(background) == 40 and set(background.columns) == {"profile", "tfidf", "bm25"}
    assert background["tfidf"].max() < 0.999 and not background.isna().any().any()
