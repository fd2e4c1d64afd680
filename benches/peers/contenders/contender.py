"""The protocol of docs/CONTENDERS.md: what every contender in Python has in common.

`serve(kinds, about, make)` answers until the input ends. `make(point)` gives an object with
`restart()`, `pairs()`, `step()` and `state()`; `point` has the header's keys as attributes, numbers
as numbers, and `columns`, an array of 2 × dimension rows.
"""

import sys
import time
import types

import numpy as np


def read_point(source):
    point = types.SimpleNamespace()
    while True:
        key, value = source.readline().decode().rstrip().split(" ", 1)
        if key == "data":
            break
        try:
            value = int(value)
        except ValueError:
            try:
                value = float(value)
            except ValueError:
                pass
        setattr(point, key.replace("-", "_"), value)
    numbers = np.frombuffer(source.read(int(value)), dtype="<f4")
    point.columns = numbers.reshape(2 * point.dimension, point.boids).copy()
    return point


def serve(kind, about, make):
    source, sink = sys.stdin.buffer, sys.stdout.buffer

    def say(text):
        sink.write(f"{text}\n".encode())
        sink.flush()

    point = read_point(source)
    if getattr(point, "wingbeat_contender") != 1:
        return say("decline another protocol")
    if point.kind != kind or point.threads != 1:
        return say(f"decline only a {kind} in one thread")
    contender = make(point)
    say(f"ready {about}")
    clock = time.process_time_ns if point.clock == "cpu" else time.perf_counter_ns
    while line := source.readline().decode().split():
        if line[0] == "pairs":
            say(f"pairs {contender.pairs()}")
        elif line[0] == "restart":
            contender.restart()
            say("done")
        elif line[0] == "step":
            times = []
            for _ in range(int(line[1])):
                times.append(str(contender.step(clock)))
            say("times " + " ".join(times))
        elif line[0] == "state":
            state = np.ascontiguousarray(contender.state(), dtype="<f4").tobytes()
            say(f"state {len(state)}")
            sink.write(state)
            sink.flush()
