"""A learning environment in a hundred lines: herd sheep into a corner. NumPy and Wingbeat only.

The interface is PettingZoo's parallel one: `reset` gives observations by agent, `step` takes
actions by agent and gives observations, rewards, terminations, truncations and infos. Sheep flock
and flee dogs by the engine's rules; a dog is where its policy goes.

    python examples/parallel_env.py
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import wingbeat

FIELD, DOGS, SHEEP, PEN = 40.0, 3, 60, np.array([8.0, 8.0], np.float32)

SCENE = f"""
[flock]
dimensions = 2
dt = 0.1
[domain]
kind = "reflecting"
min = [0, 0]
max = [{FIELD}, {FIELD}]
[spawn]
shape = "ball"
[species.sheep]
count = {SHEEP}
[species.sheep.agent]
max_speed = 1.5
max_force = 6.0
[species.sheep.separation]
radius = 1.2
weight = 2.0
[species.sheep.cohesion]
radius = 6.0
weight = 0.6
[species.dog]
count = {DOGS}
[species.dog.agent]
max_speed = 3.0
[interaction.sheep.dog]
kind = "flee"
radius = 7.0
weight = 8.0
"""

Observations = dict[str, npt.NDArray[np.float32]]


class Herding:
    """Dogs learn where to run; the reward of all is how much nearer the sheep came to the pen."""

    possible_agents = [f"dog_{i}" for i in range(DOGS)]

    def reset(self, seed: int = 0) -> tuple[Observations, dict[str, dict[str, Any]]]:
        self.agents = list(self.possible_agents)
        self.flock = wingbeat.Flock(wingbeat.Scene(SCENE, {"flock.seed": seed}), threads=1)
        self.dogs = self.flock.ids[self.flock.species == 1]
        self.dogs.sort()
        self.before = self._distance()
        return self._observe(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, npt.ArrayLike]
    ) -> tuple[
        Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """An action is a direction in the plane, no longer than 1, times a dog's largest speed; it
        holds for five steps."""
        wishes = np.array([actions[agent] for agent in self.agents], np.float32)
        wishes /= np.maximum(np.linalg.norm(wishes, axis=1, keepdims=True), 1)
        for _ in range(5):
            self.flock.set_velocities(self.dogs, 3.0 * wishes)
            self.flock.step()
        now = self._distance()
        reward, self.before = self.before - now, now
        done, late = now < 5.0, self.flock.steps >= 3000
        every = self.agents
        if done or late:
            self.agents = []
        return (
            self._observe(),
            dict.fromkeys(every, float(reward)),
            dict.fromkeys(every, done),
            dict.fromkeys(every, late),
            {agent: {} for agent in every},
        )

    def _sheep(self) -> npt.NDArray[np.float32]:
        sheep: npt.NDArray[np.float32] = self.flock.positions[self.flock.species == 0]
        return sheep

    def _distance(self) -> float:
        return float(np.linalg.norm(self._sheep() - PEN, axis=1).mean())

    def _observe(self) -> Observations:
        """Of a dog: the ways from it to the middle of the sheep, to the straggler and to the
        pen."""
        sheep, ids = self._sheep(), self.flock.ids
        middle = sheep.mean(axis=0)
        straggler = sheep[np.linalg.norm(sheep - middle, axis=1).argmax()]
        own = {
            int(id): place
            for id, place in zip(
                ids[self.flock.species == 1], self.flock.positions[self.flock.species == 1]
            )
        }
        dogs = [own[int(id)] for id in self.dogs]
        return {
            agent: np.concatenate([middle - dog, straggler - dog, PEN - dog])
            for agent, dog in zip(self.possible_agents, dogs)
        }


def behind(observation: npt.NDArray[np.float32], side: float) -> npt.NDArray[np.float32]:
    """A policy without learning: go behind the straggler, as seen from the pen, and push."""
    to_middle, to_straggler, to_pen = observation.reshape(3, 2)
    target = to_straggler if np.linalg.norm(to_straggler - to_middle) > 8 else to_middle
    away = (target - to_pen) / max(float(np.linalg.norm(target - to_pen)), 1e-6)
    way: npt.NDArray[np.float32] = (
        target + 5.0 * away + side * np.array([-away[1], away[0]], np.float32)
    )
    return way


if __name__ == "__main__":
    env = Herding()
    observations, _ = env.reset(seed=1)
    start, moves = env.before, 0
    while env.agents:
        actions = {
            agent: behind(observations[agent], 3.0 * i - 3.0) for i, agent in enumerate(env.agents)
        }
        observations = env.step(actions)[0]
        moves += 1
    print(
        f"sheep were {start:.1f} from the pen, and are {env.before:.1f} after {moves} moves;"
        f" state {env.flock.state_hash}"
    )
