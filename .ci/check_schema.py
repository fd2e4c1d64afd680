#!/usr/bin/env python3
"""Holds every scene of the project against `wingbeat schema`, by another project's validator.

    .ci/check_schema.py target/release/wingbeat      with Python's jsonschema installed

All presets, scenes of examples and proofs, and scenes in the documentation are valid. Of the scenes
in refusals.txt that are TOML, those whose refusal is of one key's kind, range, name or table are
marked; what depends on several keys, `wingbeat check` alone tells. The last line counts both.
"""

import re
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parent.parent
# Refusals of one key by itself: the schema must mark at least so many of the corpus.
LEAST_MARKED = 70


def scenes(wingbeat):
    """Name and text of every scene that is accepted."""
    for line in subprocess.check_output([wingbeat, "presets"], text=True).splitlines():
        name = line.split()[0]
        yield f"preset {name}", subprocess.check_output([wingbeat, "show", name], text=True)
    for path in sorted(ROOT.glob("examples/**/*.toml")):
        if path.name != "Cargo.toml":
            yield str(path.relative_to(ROOT)), path.read_text()


def refused():
    """The text of every scene of the corpus of refusals that stands in one file."""
    corpus = ROOT / "crates/wingbeat-scene/tests/scenes/refusals.txt"
    for case in corpus.read_text().split("\n=== ")[1:]:
        asked, _ = case.split("\n--- ")
        _, _, body = asked.partition("\n")
        if "--set " in body:
            continue
        whole = body.startswith("#whole")
        yield body if whole else "[flock]\nboids = 5\ndimensions = 2\n" + body


def main():
    [wingbeat] = sys.argv[1:]
    schema = json.loads(subprocess.check_output([wingbeat, "schema"]))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    good, failed = 0, []
    for name, text in scenes(wingbeat):
        errors = list(validator.iter_errors(tomllib.loads(text)))
        good += not errors
        failed += [f"{name}: {error.json_path}: {error.message[:200]}" for error in errors]
    for line in failed:
        print(line)
    marked, left = 0, 0
    for text in refused():
        try:
            scene = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        if validator.is_valid(scene):
            left += 1
        else:
            marked += 1
    print(f"{good} scenes are valid; of the refused ones {marked} are marked, {left} are not")
    if failed or good < 20 or marked < LEAST_MARKED:
        sys.exit(".ci/check_schema.py: the schema and the scenes disagree")


main()
