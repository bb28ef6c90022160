"""Ten sessions compare at once: how long does each wait, against the work before it, and is anything lost?

    python -m studies.speed.ten_sessions [--sessions 10] [--json sessions.json]

Every session compares two texts of its own, 300 to 9,000 words each, by one model or by all defaults; first each alone,
then all at once in fair turns, as the page and the service do it. The work before a session is that of all sessions as
short or shorter, its own among them, and of longer ones as much as its own: they have had no more when it is done. Work
is what a session took of the processor's time while it had its turn (by the clock, so that a busy machine counts on
both sides). Nothing is lost if each score is the one that the session had alone.
"""

from __future__ import annotations

import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import colde
from colde import models
from colde.comparison.fair_queue import SLICE, FairQueue, TimeEstimator
from colde.results.progress import Progress
from studies.arguments import command_line
from studies.speed.sample_texts import random_pair
from studies.tables import write_json

WORK = [
    (300, "tfidf"), (9_000, "tfidf"), (300, "colde"), (1_200, "colde"), (5_000, "colde"),
    (600, "all"), (2_500, "all"), (300, "minilm"), (1_500, "minilm"), (2_000, "tfidf"),
]  # fmt: skip
"""Words of each text, and the model; `all`: the defaults."""


def main() -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("--sessions", type=int, default=10)
    asked = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"
    load = cache(models.load)
    turns, pace = FairQueue(), TimeEstimator()
    chance = random.Random(0)
    plan = [WORK[i % len(WORK)] for i in range(asked.sessions)]
    names = [tuple(models.DEFAULTS) if model == "all" else (model,) for _, model in plan]
    pairs = [random_pair(words, chance) for words, _ in plan]

    for name in models.DEFAULTS:  # as the server warms up
        colde.compare(*random_pair(400, chance), models=[name], loader=load)

    def work(number: int, started: threading.Barrier | None) -> tuple[float, float, list[float]]:
        a, b = (colde.read_text(document.text) for document in pairs[number])  # nothing known from before
        words = a.words() + b.words()
        cost = pace.estimate(names[number], words)
        if started is not None:
            started.wait()
        begun = time.monotonic()
        with turns.take(str(number), cost=cost) as turn:

            def report(progress: Progress) -> None:
                turn.offer()

            comparison = colde.compare(a, b, models=names[number], loader=load, on_progress=report)
            worked = turn.worked
        return time.monotonic() - begun, worked, [r.score for r in comparison.models]

    alone = [work(number, None) for number in range(len(plan))]
    started = threading.Barrier(len(plan))
    with ThreadPoolExecutor(len(plan)) as threads:
        together = list(threads.map(lambda number: work(number, started), range(len(plan))))
    had = [worked for _, worked, _ in together]
    rows, most = [], 0.0
    print(f"{len(plan)} sessions at once, load of the machine {os.getloadavg()[0]:.1f}")
    print("words by model: alone; at once: work, work before it, done after, ratio")
    for number, (words, model) in enumerate(plan):
        before = sum(min(other, had[number]) for other in had) + SLICE
        done, worked, scores = together[number]
        same = scores == alone[number][2]
        most = max(most, done / before)
        row = {"words": words, "model": model, "alone": alone[number][0], "work": worked}
        rows.append({**row, "before": before, "done": done, "same": same})
        print(
            f"{words:6,} {model:7} {alone[number][0]:7.2f} s; {worked:7.2f} s, {before:7.2f} s, {done:7.2f} s, "
            f"{done / before:.2f}{'' if same else '  ANOTHER SCORE'}"
        )
    lost = sum(not row["same"] for row in rows)
    print(f"longest wait: {most:.2f} × the work before it (and a slice of {SLICE} s); other scores: {lost}")
    if asked.json is not None:
        write_json(asked.json, rows)


if __name__ == "__main__":
    main()
