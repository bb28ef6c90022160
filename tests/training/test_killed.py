"""`train` and `score`, ended by SIGKILL at random moments and taken up again, write the same bytes.

One program loads everything once and forks for each command. `studies/robustness/killed_runs.py` does the same for
longer.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.forks import fork_python
from tests.programs import ROOT

pytestmark = pytest.mark.slow

KILLS = 2
SCRIPT = """
import json, random, shutil, signal, sys
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
import torch
torch.set_num_threads(1)
from studies.robustness import killed_runs
import colde.evaluation.pair_scores, colde.models.arc_i.arc_i, colde.training.baseline_fit
from colde.ingest.shared.language_detection import load_identifier
load_identifier()
torch.optim.AdamW([torch.zeros(1, requires_grad=True)])  # which loads more of torch

def arguments(name, to):
    if name == "train":
        again = ["--resume"] if to.exists() else []
        return ["train", "arc_i", "--corpus", corpus, "--config", settings, "--seed", "3", "--quiet", *again,
                "--output", str(to / "checkpoint")]
    return ["score", "--corpus", corpus, "--pairs", corpus + "/train.tsv", "--model", "tfidf", "--quiet",
            "--output", str(to / "scores.tsv")]

corpus, work, kills = sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
settings = str(work / "settings.json")
Path(settings).write_text(json.dumps({"training": {"steps": 6, "pairs": 8, "validate_every": 2}}))
chance, found = random.Random(11), {}
for name, digest in (("train", killed_runs._checkpoint), ("score", killed_runs._table)):
    whole, torn = work / ("whole " + name), work / ("torn " + name)
    if name == "score":
        whole.mkdir(), torn.mkdir()
    status, seconds = killed_runs.run(arguments(name, whole))
    assert status == 0, name
    ended, share = [], 1.0
    while len(ended) < kills:
        status = killed_runs.run(arguments(name, torn), chance.uniform(0.1, 0.9) * share * seconds)[0]
        if status == 0 and share > 0.01:  # it was done before, on a machine that has less else to do than it had
            share /= 2
            shutil.rmtree(torn)
            torn.mkdir() if name == "score" else None
        else:
            ended.append(status)
    ended.append(killed_runs.run(arguments(name, torn))[0])
    found[name] = {"ended": ended, "same": ended[-1] == 0 and digest(torn) == digest(whole)}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    work = tmp_path_factory.mktemp("killed")
    environment = {"COLDE_CACHE": "off", "OMP_NUM_THREADS": "1"}
    printed = fork_python("-c", SCRIPT, ROOT, small_corpus, work, str(KILLS), cwd=ROOT, env=environment)
    values: dict[str, dict[str, object]] = json.loads(printed.splitlines()[-1])
    return values


@pytest.mark.parametrize("name", ["train", "score"])
def test_killed_and_taken_up_it_writes_the_same_bytes(name: str, found: dict[str, dict[str, object]]) -> None:
    ended = found[name]["ended"]
    assert isinstance(ended, list)
    assert -9 in ended, "no process was killed at work"
    assert set(ended) <= {-9, 0}
    assert found[name]["same"]
