"""Several flocks in threads; one flock in two of them."""

from __future__ import annotations

import _thread
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import wingbeat


def test_flocks_step_in_threads() -> None:
    scene = wingbeat.Scene("murmuration", {"flock.boids": 2000})
    alone = scene.flock(threads=1)
    alone.step(40)

    def fly(_: int) -> str:
        flock = scene.flock(threads=1)
        flock.step(40)
        return flock.state_hash

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(fly, range(8))) == {alone.state_hash}


def test_the_interpreter_is_free_while_a_flock_steps() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("murmuration", {"flock.boids": 20000}), threads=1)
    worker = threading.Thread(target=flock.step, args=(60,))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert turns > 20, "other threads had a turn all along"


def test_a_flock_that_steps_refuses_other_threads() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("murmuration", {"flock.boids": 20000}), threads=1)
    worker = threading.Thread(target=flock.step, args=(100,))
    worker.start()
    refused = 0
    while worker.is_alive():
        try:
            flock.step()
        except RuntimeError as refusal:
            assert "borrowed" in str(refusal)
            refused += 1
        time.sleep(0.002)
    worker.join()
    assert refused > 0


def test_ctrl_c_stops_between_two_steps() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("murmuration", {"flock.boids": 5000}), threads=1)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        flock.step(10**9)
    timer.join()
    made = flock.steps
    assert made > 0
    again = wingbeat.Flock(wingbeat.Scene("murmuration", {"flock.boids": 5000}))
    again.step(made)
    assert again.state_hash == flock.state_hash, "no step was left half made"
