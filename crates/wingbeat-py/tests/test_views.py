"""Columns are views of the engine's memory, and never garbage."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import wingbeat


def address(array: npt.NDArray[Any]) -> int:
    place: int = array.__array_interface__["data"][0]
    return place


def test_nothing_is_copied(shoal: wingbeat.Flock) -> None:
    shoal.step(3)
    for column in ("positions", "velocities", "ids"):
        one, other = getattr(shoal, column), getattr(shoal, column)
        assert address(one) == address(other) and np.shares_memory(one, other), column
        assert not one.flags.owndata, column
    positions = shoal.positions
    assert positions.dtype == np.float32 and positions.shape == (300, 2)
    # An axis after the other in one piece of memory: what the engine computes with.
    assert positions.strides[0] == 4 and positions.strides[1] >= 300 * 4
    # The steps of a usual loop write back and forth between the same two places: no memory is
    # taken.
    places = set()
    for _ in range(8):
        shoal.step()
        positions = shoal.positions
        places.add(address(positions))
    assert len(places) == 2


def test_no_one_writes(shoal: wingbeat.Flock) -> None:
    for column in (shoal.positions, shoal.velocities, shoal.ids):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
        with pytest.raises(ValueError):
            column.flags.writeable = True


@pytest.mark.parametrize(
    "scene",
    ["shoal", "murmuration", "evacuation", "hunter_prey", "rvo_circle", "stadium", "vicsek1995"],
)
def test_a_view_is_the_state_of_its_moment(scene: str) -> None:
    flock = wingbeat.Flock(wingbeat.Scene(scene, {"flock.boids": 150}), threads=2)
    kept: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = []
    for _ in range(12):
        for name in ("positions", "velocities", "ids"):
            view = getattr(flock, name)
            kept.append((view, view.copy()))
        flock.step(3)
    # Many flocks and steps later, in memory that has been given away and taken again.
    others = [wingbeat.Flock(wingbeat.Scene(scene, {"flock.boids": 150})) for _ in range(4)]
    for other in others:
        other.step(5)
    for view, copied in kept:
        np.testing.assert_array_equal(view, copied)


def test_after_removal_and_the_end_of_the_flock() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 500}))
    flock.step(2)
    views: list[npt.NDArray[Any]] = [flock.positions, flock.velocities, flock.ids]
    copies = [view.copy() for view in views]
    flock.remove(flock.ids[:250])
    assert flock.positions.shape == (250, 2)
    flock.add(np.full((700, 2), 3.0), [1.0, 0.0])
    flock.set_positions(flock.ids[:3], [[1, 1], [2, 2], [3, 3]])
    flock.step()
    del flock
    gc.collect()
    churn = [np.ones(1000, np.float32) * i for i in range(200)]
    for view, copied in zip(views, copies):
        np.testing.assert_array_equal(view, copied)
    assert len(churn) == 200


def test_changes_do_not_reach_into_views(shoal: wingbeat.Flock) -> None:
    before = shoal.positions
    copied = before.copy()
    ids = shoal.ids
    shoal.set_positions(ids[:10], np.full((10, 2), 5.0))
    np.testing.assert_array_equal(before, copied)
    now = shoal.positions
    assert (now[:10] == 5.0).all()


def test_species_and_ids_belong_to_their_rows() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("hunter_prey", {"flock.boids": 200}))
    kinds = dict(zip(flock.ids.tolist(), flock.species.tolist()))
    assert len(flock.species_names) == 2 and set(kinds.values()) == {0, 1}
    flock.step(100)
    for id, species in zip(flock.ids.tolist(), flock.species.tolist()):
        assert kinds[id] == species
    rows = flock.rows()
    assert (np.diff(rows.ids.astype(np.int64)) > 0).all()
    where = dict(zip(flock.ids.tolist(), map(tuple, flock.positions.tolist())))
    assert all(
        where[id] == tuple(place) for id, place in zip(rows.ids.tolist(), rows.positions.tolist())
    )
    assert rows.positions.flags.c_contiguous and rows.positions.flags.owndata is not None
    rows.positions[0] = 0, 0


def test_views_while_another_thread_steps() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 4000}), threads=1)
    view = flock.positions
    copied = view.copy()
    worker = threading.Thread(target=flock.step, args=(60,))
    worker.start()
    equal = 0
    while worker.is_alive():
        np.testing.assert_array_equal(view, copied)
        equal += 1
    worker.join()
    assert equal > 0


def test_questions_leave_rows_where_they_are() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 300}))
    flock.step(7)
    rows = flock.rows()
    places = dict(zip(rows.ids.tolist(), rows.positions.tolist()))
    before, ids = flock.positions, flock.ids
    flock.explain(5)
    flock.measure()
    flock.traits(3)
    flock.checkpoint()
    flock.to_html()
    np.testing.assert_array_equal(flock.positions, before)
    np.testing.assert_array_equal(flock.ids, ids)
    assert all(
        places[id] == place for id, place in zip(flock.ids.tolist(), flock.positions.tolist())
    )
