"""What the tests share."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

import wingbeat

# A program that a shell starts in the background ignores SIGINT, and then no test's Ctrl-C comes.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def shoal() -> wingbeat.Flock:
    return wingbeat.Flock(wingbeat.Scene("shoal", {"flock.boids": 300}), threads=2)


@pytest.fixture
def evacuation() -> wingbeat.Flock:
    return wingbeat.Flock(wingbeat.Scene("evacuation", {"flock.boids": 60}), threads=1)


class Command:
    """The command `wingbeat`."""

    def __init__(self, path: str) -> None:
        self.path = path

    def json(self, *arguments: str) -> dict[str, Any]:
        done = subprocess.run(
            [self.path, *arguments, "--json"], check=True, capture_output=True, text=True
        )
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def run(self, *arguments: str) -> None:
        subprocess.run([self.path, *arguments], check=True, capture_output=True)


@pytest.fixture(scope="session")
def command() -> Command:
    """The command to compare with, which WINGBEAT names; without it these tests are left out, and
    said to be."""
    path = os.environ.get("WINGBEAT")
    if not path:
        pytest.skip("WINGBEAT names no command to compare with")
    return Command(str(Path(path).resolve()))
