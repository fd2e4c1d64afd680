#!/usr/bin/env python3
"""Flocks by SciPy's cKDTree and NumPy: a contender for `--with NAME="python3 .../scipy_tree.py"`.

A step builds the tree, finds each pair once (`query_pairs`), and applies the rules to all pairs at
once: sums of neighbors by `bincount`. One thread.
"""

import numpy as np
import scipy
from scipy.spatial import cKDTree

from contender import serve


class Flock:
    def __init__(self, point):
        self.point = point
        self.restart()

    def restart(self):
        dimension = self.point.dimension
        self.position = self.point.columns[:dimension].T.copy()
        self.velocity = self.point.columns[dimension:].T.copy()

    def in_range(self):
        """Each pair once, its offset and squared distance; SciPy measures in f64, so all in reach
        are asked for, and the test of all contenders decides in f32."""
        pairs = cKDTree(self.position).query_pairs(self.point.reach, output_type="ndarray")
        offset = self.position[pairs[:, 1]] - self.position[pairs[:, 0]]
        d_sq = offset[:, 0] * offset[:, 0]
        for a in range(1, self.point.dimension):
            d_sq = d_sq + offset[:, a] * offset[:, a]
        near = d_sq <= np.float32(self.point.radius) ** 2
        return pairs[near], offset[near], d_sq[near]

    def pairs(self):
        return 2 * len(self.in_range()[0])

    def step(self, clock):
        begun = clock()
        point, position, velocity = self.point, self.position, self.velocity
        pairs, offset, d_sq = self.in_range()
        # Each pair as each of the two sees it.
        own = np.concatenate([pairs[:, 0], pairs[:, 1]])
        other = np.concatenate([pairs[:, 1], pairs[:, 0]])
        offset = np.concatenate([offset, -offset])
        d = np.sqrt(np.concatenate([d_sq, d_sq]))
        if point.cos_half_view >= -1:
            speed = np.sqrt((velocity * velocity).sum(axis=1, keepdims=True))
            heading = np.divide(velocity, speed, out=np.zeros_like(velocity), where=speed > 0)
            ahead = np.einsum("ij,ij->i", offset, heading[own])
            seen = ahead >= np.float32(point.cos_half_view) * d
            own, other, offset, d = own[seen], other[seen], offset[seen], d[seen]
        boids = len(position)
        count = np.bincount(own, minlength=boids)
        close = d < point.separation_radius
        push = -offset[close] * (1 / d[close] - 1 / np.float32(point.separation_radius))[:, None]

        def total(of, values):
            columns = [np.bincount(of, values[:, a], boids) for a in range(point.dimension)]
            return np.stack(columns, axis=1)

        some = np.maximum(count, 1)[:, None]
        force = point.separation * total(own[close], push)
        force += point.alignment * (total(own, velocity[other]) / some - velocity)
        force += point.cohesion * total(own, offset) / some
        force[count == 0] = 0
        velocity = velocity + truncated(force, point.max_force) * point.dt
        self.velocity = truncated(velocity, point.max_speed).astype(np.float32)
        position = position + self.velocity * np.float32(point.dt)
        out = (position < 0) | (position > point.box)
        position = np.where(position < 0, -position, position)
        self.position = np.where(position > point.box, 2 * point.box - position, position)
        self.position = self.position.astype(np.float32)
        self.velocity[out] *= -1
        return clock() - begun

    def state(self):
        return np.concatenate([self.position.T, self.velocity.T])


def truncated(vectors, most):
    length = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return vectors * np.minimum(1, most / np.maximum(length, 1e-30))


ABOUT = (f"SciPy {scipy.__version__}, NumPy {np.__version__}; `cKDTree` built every step, "
         "`query_pairs`, sums by `bincount`; CPU time of the process")

if __name__ == "__main__":
    serve("flock", ABOUT, Flock)
