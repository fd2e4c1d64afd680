"""What a host changes between steps, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import wingbeat

GOALS = """
[flock]
boids = 20
dimensions = 2
[domain]
kind = "open"
[spawn]
shape = "box"
[drive.errand]
kind = "goal"
arrival_radius = 0.5
weight = 4.0
"""


def test_numbers_of_the_scene_in_flight(shoal: wingbeat.Flock) -> None:
    still = shoal.copy()
    shoal.set("cohesion.weight", 0.25)
    shoal.set({"alignment.weight": 2, "agent.max_speed": 1.5})
    assert "weight = 0.25" in shoal.toml
    shoal.step(20)
    still.step(20)
    assert shoal.state_hash != still.state_hash
    assert np.linalg.norm(shoal.velocities, axis=1).max() <= 1.5 * 1.0001
    for key, value, word in [
        ("flock.boids", 10, "flock.boids"),
        ("domain.kind", "open", "domain.kind"),
        ("cohesion.wieght", 1, "cohesion.weight"),
        ("cohesion.weight", float("nan"), "cohesion.weight"),
        ("cohesion.weight", "much", "cohesion.weight"),
        ("cohesion.weight", object(), "allowed"),
    ]:
        before = shoal.toml
        with pytest.raises(ValueError, match=word):
            shoal.set(key, value)
        assert shoal.toml == before


def test_positions_velocities_and_state(shoal: wingbeat.Flock) -> None:
    ids = shoal.ids[[5, 250, 7]]
    shoal.set_positions(ids, [[1, 2], [3, 4], [5, 6]])
    shoal.set_velocities(ids, [0.5, 0.0])
    where = {id: i for i, id in enumerate(shoal.ids.tolist())}
    assert shoal.positions[[where[id] for id in ids.tolist()]].tolist() == [[1, 2], [3, 4], [5, 6]]
    assert shoal.velocities[where[int(ids[1])]].tolist() == [0.5, 0]
    rows = shoal.rows()
    shoal.set_state(rows.positions[::-1], rows.velocities)
    np.testing.assert_array_equal(shoal.rows().positions, rows.positions[::-1])
    hashed = shoal.state_hash
    for refused in (
        lambda: shoal.set_positions([10**6], [0.0, 0.0]),
        lambda: shoal.set_positions(ids, [[1.0, 2.0], [3.0, 4.0], [float("nan"), 6.0]]),
        lambda: shoal.set_positions(ids, [[1, 2]]),
        lambda: shoal.set_positions(ids, np.zeros((3, 3))),
        lambda: shoal.set_positions([-1], np.zeros((1, 2))),
        lambda: shoal.set_positions([0.5], [[0, 0]]),
        lambda: shoal.set_velocities(ids, [[np.inf, 0]] * 3),
        lambda: shoal.set_state(rows.positions[:-1], rows.velocities),
        lambda: shoal.remove([1, 1]),
        lambda: shoal.remove([1, 10**6]),
        lambda: shoal.add([[np.nan, 0.0]]),
        lambda: shoal.add([[1.0, 1.0], [float("inf"), 0.0]]),
        lambda: shoal.set_traits([1, 2], max_speed=[1.0, -1.0]),
        lambda: shoal.set_traits([1], species=3),
        lambda: shoal.set_obstacle("wall", [0, 0]),
        lambda: shoal.explain(10**6),
        lambda: shoal.step(-1),
    ):
        with pytest.raises(ValueError):
            refused()
        assert shoal.state_hash == hashed, "all or nothing"


def test_boids_come_and_go(shoal: wingbeat.Flock) -> None:
    added = shoal.add([[1, 1], [2, 2], [3, 3]], velocities=[[1, 0]] * 3)
    assert added.tolist() == [300, 301, 302] and len(shoal) == 303
    shoal.remove(added[1:2])
    shoal.step(5)
    assert 301 not in shoal.ids and 300 in shoal.ids
    assert shoal.add([1, 1]).tolist() == [303], "ids are never used again"
    with pytest.raises(ValueError):
        shoal.add([[4.0, 4.0], [float("nan"), 4.0]])
    assert shoal.add([4, 4]).tolist() == [304], "who was refused took no id"
    shoal.remove(shoal.ids)
    assert len(shoal) == 0 and shoal.positions.shape == (0, 2)
    shoal.step(3)
    assert shoal.measure("polarization") == {"polarization": None}


def test_traits_and_species() -> None:
    flock = wingbeat.Flock(wingbeat.Scene("hunter_prey", {"flock.boids": 50}))
    names = flock.species_names
    flock.set_traits([3, 4], max_speed=[0.5, np.nan], species=names[1])
    assert flock.traits(3) == {"species": 1, "max_speed": 0.5, "mass": None, "radius": None}
    assert flock.traits(4)["max_speed"] is None
    flock.set_traits(3, max_speed=np.nan)
    assert flock.traits(3)["max_speed"] is None and flock.traits(3)["species"] == 1
    new = flock.add([[0.0] * flock.dimensions], species=names[1])
    assert flock.traits(int(new[0]))["species"] == 1
    with pytest.raises(ValueError, match=names[0]):
        flock.set_traits([3], species="wolf")
    count = len(flock)
    with pytest.raises(ValueError):
        flock.add([[0.0] * flock.dimensions], species=9)
    assert len(flock) == count


def test_goals_and_events() -> None:
    flock = wingbeat.Flock(GOALS)
    ids = flock.rows().ids
    flock.set_goals(ids, flock.rows().positions + [3, 0])
    assert flock.goal(0) is not None
    flock.step(2000)
    arrived = flock.events.of("arrived")
    assert sorted(arrived.boid.tolist()) == ids.tolist()
    assert (np.diff(arrived.step.astype(np.int64)) >= 0).all() and arrived.step[0] >= 1
    flock.step()
    assert flock.events.step.size == 0, "events are those of the last call"
    flock.set_goals(ids, None)
    assert flock.goal(0) is None
    with pytest.raises(ValueError):
        flock.set_goals(ids, [[1, 2]])
    with pytest.raises(ValueError):
        flock.events.of("arival")


def test_hooks_see_every_step(evacuation: wingbeat.Flock) -> None:
    plain = evacuation.copy()
    seen: list[int] = []
    evacuation.after(lambda flock: seen.append(flock.steps))

    @evacuation.before
    def nothing(flock: wingbeat.Flock) -> None:
        assert flock.positions.shape[0] == len(flock)

    evacuation.step(800)
    plain.step(800)
    assert seen == list(range(1, 801))
    assert evacuation.state_hash == plain.state_hash
    assert evacuation.events.step.size > 0
    for column in wingbeat.Events._fields:
        np.testing.assert_array_equal(
            getattr(evacuation.events, column), getattr(plain.events, column)
        )


def test_a_hook_may_steer(shoal: wingbeat.Flock) -> None:
    @shoal.before
    def wind(flock: wingbeat.Flock) -> None:
        flock.set_velocities(flock.ids, flock.velocities + np.array([0.05, 0], np.float32))

    drift = shoal.velocities[:, 0].mean()
    shoal.step(10)
    assert shoal.velocities[:, 0].mean() > drift


def test_explanations_are_dictionaries(shoal: wingbeat.Flock) -> None:
    shoal.step(4)
    told = shoal.explain(7)
    assert told["boid"] == 7 and told["decision"]["terms"][0]["term"] == "separation"


def test_a_hook_that_fails_leaves_what_happened(evacuation: wingbeat.Flock) -> None:
    plain = evacuation.copy()

    @evacuation.after
    def late(flock: wingbeat.Flock) -> None:
        if flock.steps == 700:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        evacuation.step(1000)
    plain.step(700)
    assert evacuation.steps == 700 and evacuation.state_hash == plain.state_hash
    np.testing.assert_array_equal(evacuation.events.boid, plain.events.boid)
