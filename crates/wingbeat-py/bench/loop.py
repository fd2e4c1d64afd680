"""What Python costs: a loop of steps that looks at all positions, beside the same loop in Rust, in
turn.

    cargo build --release -p wingbeat-capi --example rust_loop
    python crates/wingbeat-py/bench/loop.py target/release/examples/rust_loop

Both fly the same flock; a round is some steps, and the two take turns, so that a noisy machine is
noisy for both.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time

import wingbeat


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("rust", help="the program rust_loop")
    arguments.add_argument("--scene", default="shoal")
    arguments.add_argument("--boids", type=int, default=100_000)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--rounds", type=int, default=15)
    arguments.add_argument("--steps", type=int, default=40, help="steps in a round")
    chosen = arguments.parse_args()
    flock = wingbeat.Flock(
        wingbeat.Scene(chosen.scene, {"flock.boids": chosen.boids}), threads=chosen.threads
    )
    words = [chosen.rust, chosen.scene, str(chosen.boids), str(chosen.threads), str(chosen.steps)]
    rust = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert rust.stdin and rust.stdout

    def rusts_round() -> float:
        assert rust.stdin and rust.stdout
        print(file=rust.stdin, flush=True)
        return float(rust.stdout.readline())

    total = 0.0

    def pythons_round() -> float:
        nonlocal total
        began = time.perf_counter_ns()
        for _ in range(chosen.steps):
            flock.step()
            total += float(flock.positions.sum())
        return (time.perf_counter_ns() - began) / chosen.steps

    rounds = []
    # The first is not counted: memory is taken, threads are woken.
    for i in range(chosen.rounds + 1):
        pair = (pythons_round(), rusts_round()) if i % 2 else (rusts_round(), pythons_round())[::-1]
        if i:
            rounds.append(pair)
    its_hash = rust.communicate()[0].split()[0]
    assert its_hash == flock.state_hash, "both have flown the same flock"
    python_ns, rust_ns = (statistics.median(one) for one in zip(*rounds))
    ratio = statistics.median(one / other for one, other in rounds)
    print(
        f"{chosen.scene}, {chosen.boids} boids, {flock.dimensions}-D,"
        f" {chosen.threads} threads, {flock.level}:"
        f" Rust {rust_ns / 1e6:.3f} ms a step, Python {python_ns / 1e6:.3f} ms,"
        f" ratio {ratio:.3f} (median of {chosen.rounds} pairs of {chosen.steps} steps)"
    )


if __name__ == "__main__":
    main()
