"""Races with what people use in Python: Mesa's boids, and RVO2 by a wheel of it.

    pip install mesa networkx pyrvo
    python crates/wingbeat-py/bench/race.py

Mesa: its own example `boid_flockers` beside the preset `mesa`, which computes the same rules, at
the same density. RVO2: the scenario Circle with RVO2's numbers beside the preset `rvo_circle`,
which does more in a step: it also keeps bodies apart. Both sides fly equally many steps; times are
medians of rounds that take turns, and RVO2 and Wingbeat use one thread each.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import wingbeat


def medians(sides: list[Callable[[], Any]], rounds: int, seconds: float = 2.0) -> list[float]:
    """Seconds a call of each side, in turn. All make equally many calls, as many as fit the
    slowest: flocks change as they fly."""
    slowest = 0.0
    for side in sides:
        side()
        began = time.perf_counter()
        side()
        slowest = max(slowest, time.perf_counter() - began)
    calls = max(1, int(seconds / rounds / slowest))
    times: list[list[float]] = [[] for _ in sides]
    for _ in range(rounds):
        for side, taken in zip(sides, times):
            began = time.perf_counter()
            for _ in range(calls):
                side()
            taken.append((time.perf_counter() - began) / calls)
    return [statistics.median(taken) for taken in times]


def report(what: str, theirs: float, ours: float) -> None:
    print(
        f"{what}: {theirs * 1e3:10.3f} ms a step, Wingbeat {ours * 1e3:8.4f} ms:"
        f" {theirs / ours:8.0f} times as long",
        flush=True,
    )


def mesa(count: int, rounds: int) -> None:
    from mesa.examples.basic.boid_flockers.model import BoidFlockers

    side = 10.0 * math.sqrt(count)
    model = BoidFlockers(population_size=count, width=side, height=side, seed=1)
    flock = wingbeat.Flock(wingbeat.Scene("mesa", {"flock.boids": count}), threads=1)
    report(f"Mesa, {count:6} boids", *medians([model.step, flock.step], rounds))


def rvo(count: int, rounds: int) -> None:
    import pyrvo

    radius = 200.0 * count / 250
    crowd = pyrvo.RVOSimulator()
    crowd.set_time_step(0.25)
    crowd.set_agent_defaults(15.0, 10, 10.0, 10.0, 1.5, 1.0)
    angles = [2 * math.pi * i / count for i in range(count)]
    for angle in angles:
        crowd.add_agent([radius * math.cos(angle), radius * math.sin(angle)])
    goals = [(-radius * math.cos(angle), -radius * math.sin(angle)) for angle in angles]

    def step() -> None:
        # As Circle.cpp does, and the usual loop in Python: the way to the goal, no longer than 1.
        for i, (x, y) in enumerate(goals):
            place = crowd.get_agent_position(i)
            dx, dy = x - place.x, y - place.y
            away = max(math.hypot(dx, dy), 1.0)
            crowd.set_agent_pref_velocity(i, [dx / away, dy / away])
        crowd.do_step()

    flock = wingbeat.Flock(wingbeat.Scene("rvo_circle", {"flock.boids": count}), threads=1)
    report(f"RVO2 (pyrvo), {count:6} agents", *medians([step, flock.step], rounds))


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--counts", type=int, nargs="+", default=[1_000, 10_000])
    chosen = arguments.parse_args()
    print(
        f"wingbeat {wingbeat.__version__}, {wingbeat.Flock('mesa', threads=1).level},"
        " one thread each"
    )
    for race in (mesa, rvo):
        for count in chosen.counts:
            try:
                race(count, chosen.rounds)
            except ImportError as missing:
                print(f"{race.__name__}: left out: {missing}")
                break


if __name__ == "__main__":
    main()
