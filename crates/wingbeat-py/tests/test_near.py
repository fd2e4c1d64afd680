"""Questions about places: which boids are near, and where there is room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import wingbeat


def test_what_is_near_is_what_numpy_finds(shoal: wingbeat.Flock) -> None:
    shoal.step(20)
    rows = shoal.rows()
    low, high = (np.array(corner, np.float32) for corner in shoal.bounds or ())
    side = high - low
    points = np.array([rows.positions[7], (low + high) / 2, low, rows.positions[3] + side])
    hash_before = shoal.state_hash
    for radius in (0.0, 1.0, 3.0):
        found = shoal.within(points, radius)
        assert found.points.dtype == np.uint32 and (np.diff(found.points.astype(int)) >= 0).all()
        for k, point in enumerate(points):
            place = point - side * np.floor((point - low) / side)
            offsets = rows.positions - place
            offsets -= np.where(offsets > side / 2, side, 0)
            offsets += np.where(offsets < -side / 2, side, 0)
            distances = np.sqrt((offsets * offsets).sum(axis=1))
            mine = found.points == k
            wanted = rows.ids[distances <= radius]
            assert sorted(found.ids[mine]) == sorted(wanted)
            near_ones = np.sort(distances[distances <= radius])
            assert np.allclose(np.sort(found.distances[mine]), near_ones)
            near = shoal.nearest(point, 5)
            assert np.allclose(near.distances, np.sort(distances)[:5])
            assert list(near.ids[:1]) == list(shoal.nearest(point).ids)
    assert shoal.state_hash == hash_before
    assert list(shoal.is_free(points[:2], 0.0)) == [True, True]
    assert not shoal.is_free(points[0], 0.5).any()
    assert len(shoal.within(np.empty((0, 2)), 1.0).ids) == 0


def test_what_is_no_place_is_refused(shoal: wingbeat.Flock) -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: shoal.within([np.nan, 0.0], 1.0), r"points\[0\]\[0\] = NaN"),
        (lambda: shoal.within([0.0, 0.0], -1.0), "radius = -1"),
        (lambda: shoal.within([0.0, 0.0, 0.0], 1.0), "points of shape"),
        (lambda: shoal.nearest([0.0, np.inf], 2), r"points\[0\]\[1\]"),
        (lambda: shoal.nearest([0.0, 0.0], -2), "count = -2"),
        (lambda: shoal.is_free([0.0, 0.0], np.inf), "radius"),
    ]
    for ask, named in cases:
        with pytest.raises(ValueError, match=named):
            ask()
