"""Pairs of no kind that has a profile: what is alike because of its kind is not related."""

from __future__ import annotations

import gzip
import json
import math
from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import colde
from colde import ingest, models
from colde.comparison.fitted_model import PairJudge
from colde.judge.calibration import Calibration, Judgement, Profile, judge
from colde.judge.profiles import DETECT, GENERAL, NONE
from colde.judge.unknown_kinds import MOST_CALIBRATION_ERROR, DocumentTraits, UnknownKinds
from colde.models.checkpoint import copy_with_profile, read_config
from colde.report.wording.verdict import stance, verdict
from colde.results.verdicts.verdict_words import SAME_KIND, label_of
from tests.report.example import example

FIT = UnknownKinds(20.0, -4.0, -0.5, -2.0, 0.7, -3.0, 1_000, 20, 0.04)
LONG, SHORT = DocumentTraits(2_000, 0.5), DocumentTraits(100, 0.9)
OWN = Path("studies/verdicts")
FITTED = ("colde_words", "colde", "tfidf")


def general(fit: UnknownKinds | None) -> dict[str, Profile]:
    return {GENERAL: Profile(GENERAL, 0.3, Calibration(10.0, -3.0), corpora=("acl",), unknown=fit)}


def test_the_threshold_is_where_the_probability_is_a_half() -> None:
    by_hand = (4.0 + 0.5 * (math.log(2_000) + math.log(100)) + 2.0 * (0.5 + 0.9)) / 20.0
    judged = judge(by_hand, general(FIT), NONE, traits=(LONG, SHORT))
    assert judged.threshold == pytest.approx(by_hand) and judged.probability == pytest.approx(0.5)
    assert judged.fit is not None and (judged.fit.pairs, judged.fit.kinds) == (1_000, 20)
    turned = judge(by_hand, general(FIT), NONE, traits=(SHORT, LONG))
    assert turned.threshold == pytest.approx(by_hand)


def test_a_self_similarity_that_is_not_known_is_a_typical_one() -> None:
    known, missing = DocumentTraits(500, FIT.typical_self_similarity), DocumentTraits(500)
    assert FIT.threshold(known, known) == FIT.threshold(missing, missing)
    assert FIT.threshold(DocumentTraits(500, 0.9), known) > FIT.threshold(known, known)


def test_no_probability_where_left_out_kinds_were_judged_badly() -> None:
    bad = replace(FIT, calibration_error=MOST_CALIBRATION_ERROR + 0.01)
    judged = judge(0.9, general(bad), NONE, traits=(LONG, LONG))
    assert judged.probability is None and judged.similar
    assert judge(0.9, general(FIT), NONE, traits=(LONG, LONG)).probability is not None


def test_a_model_without_a_fit_keeps_its_threshold() -> None:
    judged = judge(0.35, general(None), NONE, traits=(LONG, LONG))
    assert judged == Judgement(NONE, 0.3, True, corpora=("acl",))


def test_between_the_cuts_a_pair_is_of_one_kind() -> None:
    threshold = FIT.threshold(LONG, LONG)
    near, far = (judge(threshold - d, general(FIT), NONE, traits=(LONG, LONG)) for d in (0.1, 0.3))
    assert near.same_kind and not far.same_kind and not near.similar
    assert label_of(near.probability, near.similar, same_kind=near.same_kind) == SAME_KIND
    assert label_of(far.probability, far.similar, same_kind=far.same_kind) == "Very likely unrelated"
    undecided = judge(threshold - 0.01, general(FIT), NONE, traits=(LONG, LONG))
    assert label_of(undecided.probability, undecided.similar, same_kind=undecided.same_kind) == "Undecided"
    whole = example()
    score = replace(
        whole.models[0],
        probability=near.probability,
        similar=False,
        same_kind=True,
        profile=NONE,
        fit=near.fit,
    )
    said = verdict(replace(whole, models=(score,)))
    assert said.label == SAME_KIND and stance(score) == "unrelated"
    assert "1,000 pairs of 20 other kinds" in said.detail and "calibration error was 0.04" in said.basis


@pytest.mark.parametrize("name", FITTED)
def test_weights_that_ship_have_a_fit(name: str) -> None:
    """`colde train` writes a checkpoint without one: it was fitted to the scores of other weights."""
    profiles = models.stored(name).profiles
    fit = profiles[GENERAL].unknown
    assert fit is not None, f"run studies.verdicts.fit_unknown_kinds --write for {name}"
    figures = json.loads(Path("docs/results/unknown_kinds.json").read_text())["models"][name]
    assert figures["weights"] == models.stored(name).weights, f"{name}: fitted to other weights"
    assert {**figures["fit"]} == json.loads(json.dumps({f: getattr(fit, f) for f in figures["fit"]}))
    assert fit.calibration_error <= MOST_CALIBRATION_ERROR
    assert all(p.unknown is None for n, p in profiles.items() if n != GENERAL)


def test_the_fit_stays_in_a_copy_of_the_checkpoint(tmp_path: Path) -> None:
    source = colde.assets.asset("models", "tfidf")
    profiles = models.stored("tfidf").profiles
    copy_with_profile(source, tmp_path, replace(profiles["papers"], name="mine"))

    assert read_config(tmp_path).profiles[GENERAL] == profiles[GENERAL]


@cache
def own_answers() -> dict[str, list[bool | None]]:
    """What CoLDE + words says of our own texts of kinds that it never saw, by label."""
    texts, pairs = (
        [json.loads(line) for line in gzip.decompress((OWN / name).read_bytes()).splitlines()]
        for name in ("own_texts.jsonl.gz", "own_pairs.jsonl.gz")
    )
    documents = {t["id"]: ingest.read_text(f"{t['title']}\n\n{t['text']}") for t in texts}
    judge = PairJudge(models.load("colde_words"), DETECT)
    model = judge.matcher(NONE)
    encoded = dict(zip(documents, model.encode(list(documents.values()), explain=False), strict=True))
    known = {name: judge.document(document) for name, document in documents.items()}
    answers = defaultdict(list)
    for pair in pairs:
        a, b = pair["a"], pair["b"]
        assert judge.profile(known[a], known[b]) == NONE
        result = model.match(encoded[a], encoded[b], explain=False)
        judged = judge.judge(result.score, known[a], known[b], self_similarity=result.self_similarity)
        answers[pair["label"]].append(judged.similar)
    return answers


def test_texts_of_one_kind_are_not_related_for_that() -> None:
    said = own_answers()
    assert len(said["genre"]) == 143 and sum(map(bool, said["genre"])) <= 7
    assert not any(said["other"])


def test_related_texts_of_unknown_kinds_are_related() -> None:
    said = own_answers()
    assert len(said["related"]) == 22 and sum(map(bool, said["related"])) >= 21
