#!/usr/bin/env python3
"""Contenders that are programs: .ci/check_contenders.py PEERS, the built benchmark `peers`.

An honest one in SciPy is measured; those that miscount, mis-step, end early, answer with another
word, keep silent about bytes or report times that cannot be are refused by name with status 1; an
unknown option is refused with status 2. Needs NumPy and SciPy.
"""

import subprocess
import sys
import tempfile

FAULTS = {
    "miscounts": "pairs, and there are",
    "missteps": "its flock after a step is off by",
    "vanishes": "ends without an answer (exit status: 3)",
    "babbles": 'answers "hello',
    "shortens": "bytes:",
    "hastens": "at least 0.1 of them",
    "invents": "as many numbers",
}

LIAR = """
import sys
sys.path.insert(0, "benches/peers/contenders")
import contender, scipy_tree

how = sys.argv[1]

class Liar(scipy_tree.Flock):
    def pairs(self):
        return super().pairs() + 2 * (how == "miscounts")

    def step(self, clock):
        if how == "vanishes":
            raise SystemExit(3)
        took = super().step(clock)
        if how == "missteps":
            self.velocity *= 1.001
        return {"hastens": took // 100, "invents": "nothing"}.get(how, took)

    def state(self):
        state = super().state()
        return state[:-1] if how == "shortens" else state

if how == "babbles":
    print("hello", flush=True)
contender.serve("flock", f"a program that {how}; none", Liar)
"""


def run(*arguments):
    done = subprocess.run([sys.argv[1], "--bench", *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def expect(true, what, *seen):
    if not true:
        sys.exit("\n".join([f"check_contenders: {what}", *map(str, seen)]))


small = ["--quick", "--only", "2d/240/n10000", "--python", sys.executable]
status, out, err = run(*small)
expect(status == 0 and "| SciPy | 1 |" in out, "the honest contender is measured", status, out, err)
with tempfile.NamedTemporaryFile("w", suffix=".py") as liar:
    liar.write(LIAR)
    liar.flush()
    for how, reason in FAULTS.items():
        status, out, err = run(*small, "--with", f"{how}={sys.executable} {liar.name} {how}")
        told = [line for line in out.splitlines() if f"{how} is refused" in line]
        expect(status == 1 and told and reason in told[0], f"{how}: refused", status, out, err)
        expect("| SciPy | 1 |" in out, f"{how}: the others go on", out)
status, out, err = run(*small, "--with", "absent=/no/such/program")
expect(status == 1 and "absent is refused" in out and "does not start" in out, "absent", out, err)
for wrong in (["--fast"], ["--with", "nameless"], ["--page", "page.txt"], ["--only", "4d"]):
    status, out, err = run(*wrong, *small[:1])
    named = wrong[-1] in err and ("allowed" in err or "ids are" in err)
    expect(status == 2 and named, wrong, status, err)
print(f"contenders: one honest, {len(FAULTS) + 1} refused by name")
