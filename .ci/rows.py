#!/usr/bin/env python3
"""Every test that docs/RELIABILITY.md names is there, and every row of its tables names one."""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
tests = {}
for path in root.glob("crates/**/*.rs"):
    tests.setdefault(path.name, set()).update(re.findall(r"fn (\w+)\(", path.read_text()))
for path in root.glob("crates/*/tests/*.py"):
    tests.setdefault(path.name, set()).update(re.findall(r"def (test_\w+)\(", path.read_text()))

wrong, rows, header = [], 0, None
for line in (root / "docs/RELIABILITY.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if not line.startswith("|"):
        header = None
        continue
    header = header or cells[0]
    # Of tables of faults, each line after the first two.
    if header != "fault" or cells[0] == "fault" or set(cells[0]) <= {"-"}:
        continue
    rows += 1
    file, named = None, 0
    for part in re.split(r"[,;]\s*", cells[-1]):
        found = re.fullmatch(r"(\w+\.(?:rs|py))?::(\w+)", part)
        if not found:
            allowed = "FILE.rs::TEST, FILE.py::TEST, or ::TEST of the same file"
            wrong.append(f"{part}: allowed is {allowed}")
            continue
        file = found[1] or file
        named += 1
        if found[2] not in tests.get(file, ()):
            wrong.append(f"{part}: there is no such test in {file}")
    if not named:
        wrong.append(f"no test: {line}")
print("\n".join(wrong) if wrong else f"{rows} rows, all with tests that are there")
sys.exit(bool(wrong) or rows == 0)
