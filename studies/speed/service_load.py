"""The service under load: how long do requests take when one user asks, and when ten do?

    python -m studies.speed.service_load [--users 10] [--seconds 180] [--think 20] [--workers 0] [--json load.json]

`colde serve` is started with an index of the samples. Each user has an address of its own (127.0.0.2, …: Linux), asks,
waits about THINK seconds, and asks again: of ten requests four compare two texts by TF-IDF, three search, two read a
file, one compares by CoLDE. Four runs: one user; all of them; all of them without a pause (more than the machine can
do: what counts is that nobody starves); one user beside another who compares long texts by CoLDE without a pause.
Printed: median and 95th percentile by kind, errors, the server's memory (and that of its workers) before, at most and
after. Before the first run all users are at work at once, so that what ten need is there.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from studies import ROOT
from studies.arguments import command_line
from studies.speed.process_memory import resident_megabytes
from studies.speed.sample_texts import SAMPLES
from studies.tables import write_json

PORT = 8651
WORDS = 500  # of the texts that users send
KINDS = {"compare by words": 4, "search": 3, "read": 2, "compare by CoLDE": 1}


@dataclass
class Run:
    """Requests of one run: seconds of those that were answered by kind, and counts of errors by status or exception."""

    taken: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, seconds: float, status: int | str) -> None:
        with self.lock:
            if status == 200:
                self.taken.setdefault(kind, []).append(seconds)
            else:
                self.errors[f"{kind}: {status}"] += 1

    def table(self) -> dict[str, dict[str, float]]:
        """Requests, median and 95th percentile in seconds, by kind and of all."""
        every = {**self.taken, "all": [s for values in self.taken.values() for s in values]}
        return {
            kind: {"requests": len(v), "median": float(np.median(v)), "p95": float(np.quantile(v, 0.95))}
            for kind, v in sorted(every.items())
            if v
        }


def part(chance: random.Random, words: int = WORDS) -> bytes:
    """So many words of a sample, from anywhere in it."""
    held = chance.choice(SAMPLES).read_text(encoding="utf-8").split(" ")
    at = chance.randrange(max(1, len(held) - words))
    return ("# A part\n\n" + " ".join(held[at : at + words])).encode()


def ask(client: httpx.Client, kind: str, chance: random.Random) -> httpx.Response:
    match kind:
        case "search":
            return client.post("/search", data={"text": part(chance, 120).decode(), "limit": "3"})
        case "read":
            return client.post("/read", files={"file": ("a.md", part(chance))})
        case "compare long texts":
            names = chance.sample(SAMPLES, 2)
            texts = [("\n\n" + p.read_text(encoding="utf-8")) * 3 + f"\n\n{chance.random()}\n" for p in names]
            files = {side: (f"{side}.md", text.encode()) for side, text in zip("ab", texts, strict=True)}
            return client.post("/compare", files=files, data={"model": "colde"})
        case _:
            model = "tfidf" if kind == "compare by words" else "colde"
            files = {side: (f"{side}.md", part(chance)) for side in "ab"}
            return client.post("/compare", files=files, data={"model": model})


def user(number: int, run: Run, until: float, think: float, kinds: dict[str, int]) -> None:
    """Ask and wait, until it is over."""
    chance = random.Random(number)
    transport = httpx.HTTPTransport(local_address=f"127.0.0.{number + 2}")
    with httpx.Client(base_url=f"http://127.0.0.1:{PORT}", transport=transport, timeout=600) as client:
        time.sleep(chance.uniform(0, think))
        while time.monotonic() < until:
            kind = chance.choices(list(kinds), list(kinds.values()))[0]
            begun = time.perf_counter()
            try:
                status: int | str = ask(client, kind, chance).status_code
            except httpx.HTTPError as error:
                status = type(error).__name__
            run.note(kind, time.perf_counter() - begun, status)
            if status == 429:  # more than a client may ask in a minute
                time.sleep(1)
            time.sleep(chance.expovariate(1 / think) if think else 0)


def together(users: Sequence[Callable[[Run, float], None]], seconds: float) -> Run:
    """All of these users at once."""
    run, until = Run(), time.monotonic() + seconds
    threads = [threading.Thread(target=one, args=(run, until)) for one in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return run


class Watch:
    """Reads the memory of a process in megabytes every ten seconds, as a context."""

    def __init__(self, process: int) -> None:
        self.seen: list[float] = []
        self._process, self._over = process, threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(10):
            self.seen.append(round(resident_megabytes(self._process), 1))


def wait_until_ready(server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if server.poll() is not None:
            raise SystemExit("the server ended")
        try:
            if httpx.get(f"http://127.0.0.1:{PORT}/ready", timeout=5).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(1)
    raise SystemExit("the server did not become ready in five minutes")


def main() -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("--users", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=180.0, help="of each run")
    parser.add_argument("--steady", type=float, help="seconds of the run of all users (default: the same)")
    parser.add_argument("--workers", type=int, default=0, help="processes of the service (default: none)")
    parser.add_argument("--think", type=float, default=20.0, help="seconds between two requests of a user")
    asked = parser.parse_args()
    colde = [sys.executable, "-P", "-m", "colde"]
    environment = {**os.environ, "COLDE_CACHE": "off", "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory(prefix="load") as folder:
        index = str(Path(folder) / "index")
        subprocess.run(
            [*colde, "index", "add", *map(str, SAMPLES), "--index", index, "--quiet"],
            env=environment,
            check=True,
        )
        server = subprocess.Popen(
            [*colde, "serve", "--port", str(PORT), "--index", index, "--workers", str(asked.workers)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until_ready(server)
            figures = measure(server.pid, asked)
        finally:
            server.terminate()
            server.wait(30)
    if asked.json is not None:
        write_json(asked.json, figures)


def measure(server: int, asked: argparse.Namespace) -> dict[str, Any]:
    """The four runs."""

    def someone(number: int, think: float, kinds: dict[str, int]) -> Callable[[Run, float], None]:
        return lambda run, until: user(number, run, until, think, kinds)

    long = someone(50, 0, {"compare long texts": 1})
    plan = {
        "warm": [someone(90 + n, 0, KINDS) for n in range(asked.users)],
        "one user": [someone(0, asked.think / asked.users, KINDS)],
        f"{asked.users} users": [someone(n, asked.think, KINDS) for n in range(asked.users)],
        f"{asked.users} users without a pause": [someone(n, 0, KINDS) for n in range(asked.users)],
        "one user beside long comparisons": [someone(0, asked.think / asked.users, KINDS), long],
    }
    figures: dict[str, Any] = {}
    for name, users in plan.items():
        before = resident_megabytes(server)
        seconds = asked.steady or asked.seconds if name == f"{asked.users} users" else asked.seconds
        with Watch(server) as watch:
            run = together(users, seconds if name != "warm" else min(asked.seconds, 60))
        table = run.table()
        after = resident_megabytes(server)
        memory = [before, max(before, after, *watch.seen), after]
        figures[name] = {"kinds": table, "errors": dict(run.errors), "memory": memory, "seen": watch.seen}
        print(
            f"\n{name}: memory {before:.0f} → {after:.0f} MB, at most {memory[1]:.0f}; errors {dict(run.errors)}; "
            f"load {os.getloadavg()[0]:.1f}"
        )
        for kind, values in table.items():
            print(
                f"  {kind:20} {values['requests']:4} requests, "
                f"median {values['median']:6.2f} s, p95 {values['p95']:6.2f} s",
                flush=True,
            )
    one, ten = (figures[n]["kinds"]["all"]["p95"] for n in ("one user", f"{asked.users} users"))
    print(f"\np95 of {asked.users} users is {ten / one:.1f} × that of one")
    return figures


if __name__ == "__main__":
    main()
