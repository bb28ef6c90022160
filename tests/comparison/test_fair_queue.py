"""Fair turns: the owner with the least work goes on, cancelling works while waiting. The tests move the clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from colde.comparison.fair_queue import BASE, SLICE, FairQueue, QueuePlace, TimeEstimator, Turn
from colde.errors import Cancelled
from tests.patience import PATIENCE


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def wait_for(queue: FairQueue, count: int) -> None:
    end = time.monotonic() + PATIENCE
    while queue.waiting < count:
        assert time.monotonic() < end
        time.sleep(0.001)


def in_turns(
    queue: FairQueue, works: Mapping[str, Callable[[Turn], object]], costs: Mapping[str, float] | None = None
) -> None:
    """Run each piece of work in a thread; all of them wait, in this order, before the first begins."""

    def run(name: str) -> None:
        with queue.take(name, cost=(costs or {}).get(name, 0.0)) as turn:
            works[name](turn)

    with ThreadPoolExecutor(len(works)) as threads:
        futures = []
        with queue.take("holds it until all are here"):
            for name in works:
                futures.append(threads.submit(run, name))
                wait_for(queue, len(futures))
        for future in futures:
            future.result(PATIENCE)


def slices(clock: Clock, name: str, count: int, order: list[str]) -> Callable[[Turn], None]:
    """Work of so many slices, which are written down."""

    def work(turn: Turn) -> None:
        for _ in range(count):
            order.append(name)
            clock.now += SLICE  # only whose turn it is moves the clock
            turn.offer()

    return work


def test_a_short_piece_of_work_is_done_while_a_long_one_goes_on() -> None:
    clock, order = Clock(), []
    counts = {"long": 40, "short": 3}
    in_turns(FairQueue(clock), {name: slices(clock, name, n, order) for name, n in counts.items()})
    assert max(i for i, owner in enumerate(order) if owner == "short") <= 8, order
    assert {name: order.count(name) for name in counts} == counts


def test_ten_sessions_wait_no_longer_than_one_and_a_half_times_the_work_before_them() -> None:
    clock, order = Clock(), []
    counts = {str(k): n for k, n in enumerate((2, 40, 1, 3, 20, 5, 2, 8, 1, 13))}
    in_turns(FairQueue(clock), {name: slices(clock, name, n, order) for name, n in counts.items()})
    assert {name: order.count(name) for name in counts} == counts, "nothing lost, nothing twice"
    for name, count in counts.items():
        end = len(order) - order[::-1].index(name)
        # Work that is as short or shorter comes first; longer work has had no more than this one.
        before = sum(min(other, count) for other in counts.values())
        assert end <= 1.5 * before + len(counts)


def test_of_those_that_have_had_as_much_the_cheapest_goes_first() -> None:
    clock, order = Clock(), []
    counts = {"dear": 10, "cheap": 1, "middling": 3}
    works = {name: slices(clock, name, n, order) for name, n in counts.items()}
    in_turns(FairQueue(clock), works, {name: n * SLICE for name, n in counts.items()})
    assert order[:3] == ["cheap", "middling", "dear"]
    ends = {name: len(order) - 1 - order[::-1].index(name) for name in counts}
    assert ends["cheap"] < ends["middling"] < ends["dear"] == sum(counts.values()) - 1


def test_work_that_nobody_waits_for_comes_last() -> None:
    order: list[str] = []
    queue = FairQueue(here=lambda owner: owner != "left")
    in_turns(queue, {name: lambda turn: order.append(turn.owner) for name in ("left", "stayed")})
    assert order == ["stayed", "left"]


def test_a_place_in_the_queue_and_the_time_left() -> None:
    clock = Clock()
    turns = FairQueue(clock)
    held = turns.take("held", cost=8.0)
    small = turns.take("small", cost=2.0)

    def work() -> None:
        with small:
            clock.now += 2.0

    with held, ThreadPoolExecutor(1) as threads:
        assert held.place() == QueuePlace(1, 1, 8.0)
        clock.now += 3.0
        waiting = threads.submit(work)
        wait_for(turns, 1)
        assert small.place() == QueuePlace(1, 2, 4.0), "its own two seconds, and as much for the other"
        assert held.place() == QueuePlace(2, 2, 7.0), "five of its own, and the two of the other"
        clock.now += 50.0
        assert held.place().seconds > 0, "an estimate was wrong; it is not done for that"
        held.offer()
        waiting.result(PATIENCE)
    assert small.worked == 2.0 and held.worked == 53.0
    assert turns.others("") == 0


def test_works_of_one_owner_count_together() -> None:
    clock = Clock()
    turns = FairQueue(clock)
    with turns.take("a"):
        clock.now += 10.0
        assert turns.others("a") == 0 and turns.others("b") == 1
    assert turns.others("b") == 0


def test_who_waits_hears_that_it_is_no_longer_wanted() -> None:
    turns = FairQueue()
    stop = threading.Event()

    def wanted() -> None:
        if stop.is_set():
            raise Cancelled("stopped by the reader")

    def wait() -> None:
        with turns.take("b", wanted):
            pytest.fail("it was not its turn")

    with ThreadPoolExecutor(1) as threads, turns.take("a"):
        waiting = threads.submit(wait)
        wait_for(turns, 1)
        stop.set()
        with pytest.raises(Cancelled):
            waiting.result(PATIENCE)
        assert turns.others("a") == 0


def test_a_failure_gives_the_turn_back() -> None:
    turns = FairQueue()
    with pytest.raises(ValueError, match="odd"), turns.take("a"):
        raise ValueError("odd")
    with turns.take("b"):
        pass


def test_the_pace_of_a_model_is_learned() -> None:
    pace = TimeEstimator()
    first = pace.estimate(["colde", "tfidf"], 10_000)
    assert pace.estimate(["colde"], 10_000) > pace.estimate(["tfidf"], 10_000)
    for _ in range(20):
        pace.learn("colde", 10_000, BASE + 50.0)
    assert pace.estimate(["colde"], 20_000) == pytest.approx(BASE + 100.0, rel=0.01)
    assert pace.estimate(["colde", "tfidf"], 10_000) > first
