#!/usr/bin/env python3
"""A crowd by RVO2 itself, through its Python package pyrvo: only its `doStep` is timed.

Preferred velocities are set before each step, by Python, outside of the time.
"""

import importlib.metadata

import numpy as np
import pyrvo

from contender import serve


class Crowd:
    def __init__(self, point):
        self.point = point
        self.restart()

    def restart(self):
        point = self.point
        self.sim = pyrvo.RVOSimulator(
            point.dt, point.distance, int(point.neighbors), point.time_horizon, point.time_horizon,
            point.body_radius, point.max_speed)
        self.goals = point.columns[2:].T.astype(np.float32)
        for place in point.columns[:2].T.tolist():
            self.sim.add_agent(place)

    def positions(self):
        places = map(self.sim.get_agent_position, range(self.point.boids))
        return np.array([(place.x, place.y) for place in places], dtype=np.float32)

    def pairs(self):
        raise SystemExit("a crowd has no pairs to count")

    def step(self, clock):
        point = self.point
        wanted = (self.goals - self.positions()) * (point.speed / point.slowing)
        length = np.sqrt((wanted * wanted).sum(axis=1, keepdims=True))
        wanted = wanted * np.minimum(1, point.speed / np.maximum(length, 1e-30))
        for i, velocity in enumerate(wanted.tolist()):
            self.sim.set_agent_pref_velocity(i, velocity)
        begun = clock()
        self.sim.do_step()
        return clock() - begun

    def state(self):
        speeds = map(self.sim.get_agent_velocity, range(self.point.boids))
        speeds = np.array([(speed.x, speed.y) for speed in speeds], dtype=np.float32)
        return np.concatenate([self.positions().T, speeds.T])


if __name__ == "__main__":
    version = importlib.metadata.version("pyrvo")
    serve("crowd", f"RVO2 in pyrvo {version}; `doStep` alone with its k-d tree, goals outside of "
          "the time; bodies may overlap", Crowd)
