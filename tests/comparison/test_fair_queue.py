"""Fair turns: who has had least goes on, cancelling is heard while waiting, nothing is lost. The clock is ours."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from colde.comparison.fair_queue import SLICE, FairQueue, QueuePlace
from colde.comparison.time_estimates import BASE, TimeEstimator
from colde.errors import Cancelled
from tests.patience import PATIENCE


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_short_piece_of_work_is_done_while_a_long_one_goes_on() -> None:
    clock = Clock()
    turns = FairQueue(clock)
    order: list[str] = []
    begun, both = threading.Event(), threading.Event()

    def work(owner: str, slices: int, first: Callable[[], object]) -> None:
        with turns.take(owner) as turn:
            first()
            for _ in range(slices):
                order.append(owner)
                clock.now += SLICE  # only whose turn it is moves the clock
                turn.offer()

    def wait_for_the_other() -> None:
        begun.set()
        assert both.wait(PATIENCE)

    with ThreadPoolExecutor(2) as threads:
        long = threads.submit(work, "long", 40, wait_for_the_other)
        assert begun.wait(PATIENCE)
        short = threads.submit(work, "short", 3, lambda: None)
        while not turns._waiting:
            pass
        both.set()
        long.result(PATIENCE)
        short.result(PATIENCE)
    last = max(i for i, owner in enumerate(order) if owner == "short")
    assert last <= 8, order
    assert order.count("long") == 40 and order.count("short") == 3


def test_ten_sessions_wait_no_longer_than_one_and_a_half_times_the_work_before_them() -> None:
    clock = Clock()
    turns = FairQueue(clock)
    ends: dict[int, float] = {}
    ready = threading.Barrier(11)
    costs = [SLICE * slices for slices in (2, 40, 1, 3, 20, 5, 2, 8, 1, 13)]

    def work(number: int) -> None:
        ready.wait(PATIENCE)
        with turns.take(str(number)) as turn:
            for _ in range(int(costs[number] / SLICE)):
                clock.now += SLICE
                turn.offer()
            ends[number] = clock.now

    with ThreadPoolExecutor(10) as threads:
        with turns.take("holds it until all are here"):
            futures = [threads.submit(work, number) for number in range(10)]
            ready.wait(PATIENCE)
            while len(turns._waiting) < 10:
                pass
        for future in futures:
            future.result(PATIENCE)
    assert len(ends) == 10
    assert clock.now == pytest.approx(sum(costs)), "nothing lost, nothing twice"
    for number, end in ends.items():
        # In line behind all that are as short or shorter, the longer ones have had no more than this one.
        before = sum(min(cost, costs[number]) for cost in costs)
        assert end <= 1.5 * before + SLICE * len(costs)


def test_of_those_that_have_had_as_much_the_cheapest_goes_first() -> None:
    clock = Clock()
    turns = FairQueue(clock)
    order: list[str] = []

    def work(name: str, cost: float) -> None:
        with turns.take(name, cost=cost) as turn:
            for _ in range(round(cost / SLICE)):
                order.append(name)
                clock.now += SLICE
                turn.offer()

    costs = {"dear": 10 * SLICE, "cheap": SLICE, "middling": 3 * SLICE}
    with ThreadPoolExecutor(3) as threads:
        with turns.take("holds it until all are here"):
            futures = [threads.submit(work, *item) for item in costs.items()]
            while len(turns._waiting) < 3:
                pass
        for future in futures:
            future.result(PATIENCE)
    assert order[:3] == ["cheap", "middling", "dear"]
    ends = {name: len(order) - 1 - order[::-1].index(name) for name in costs}
    assert ends["cheap"] < ends["middling"] < ends["dear"] == sum(10 * c for c in (1, 0.3, 0.1)) - 1


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
        while not turns._waiting:
            pass
        assert small.place() == QueuePlace(1, 2, 4.0), "its own two seconds, and as much for the other"
        assert held.place() == QueuePlace(2, 2, 7.0), "five of its own, and the two of the other"
        clock.now += 50.0
        assert held.place().seconds > 0, "an estimate was wrong; it is not done for that"
        held.offer()
        waiting.result(PATIENCE)
    assert small.worked == 2.0 and held.worked == 53.0
    assert turns._all == []


def test_work_that_nobody_waits_for_comes_last() -> None:
    turns = FairQueue(here=lambda owner: owner != "left")
    order: list[str] = []

    def work(name: str) -> None:
        with turns.take(name):
            order.append(name)

    with ThreadPoolExecutor(2) as threads:
        with turns.take("holds it until all are here"):
            futures = []
            for name in ("left", "stayed"):
                futures.append(threads.submit(work, name))
                while len(turns._waiting) < len(futures):
                    pass
        for future in futures:
            future.result(PATIENCE)
    assert order == ["stayed", "left"]


def test_the_pace_of_a_model_is_learned() -> None:
    pace = TimeEstimator()
    first = pace.estimate(["colde", "tfidf"], 10_000)
    assert pace.estimate(["colde"], 10_000) > pace.estimate(["tfidf"], 10_000)
    for _ in range(20):
        pace.learn("colde", 10_000, BASE + 50.0)
    assert pace.estimate(["colde"], 20_000) == pytest.approx(BASE + 100.0, rel=0.01)
    assert pace.estimate(["colde", "tfidf"], 10_000) > first


def test_works_of_one_owner_count_together() -> None:
    clock = Clock()
    turns = FairQueue(clock)
    with turns.take("a"):
        clock.now += 10.0
        assert turns.others("a") == 0 and turns.others("b") == 1
    assert turns._had == {} and turns._all == []


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
        while not turns._waiting:
            pass
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
