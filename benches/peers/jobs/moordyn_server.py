"""A job of MoorDyn: a chain whose ship heaves. Runs in a venv with MoorDyn."""

import importlib.metadata
import os
import pathlib
import sys

import moordyn
from serve import serve

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import mooring as case  # noqa: E402


def mooring(deck, frames):
    """Tension at the ship after each interval. The search for the state at rest belongs to the preparation."""
    os.chdir(pathlib.Path(deck).parent)
    system = moordyn.Create(deck)
    moordyn.Init(system, [0.0] * 3, [0.0] * 3)
    line = moordyn.GetLine(system, 1)
    tensions, time = [], 0.0
    yield None
    for _ in range(frames):
        z, later = case.height(time), case.height(time + case.INTERVAL)
        speed = (later - z) / case.INTERVAL
        try:
            moordyn.Step(system, [0.0, 0.0, z], [0.0, 0.0, speed], time, case.INTERVAL)
        except RuntimeError:
            # The step is too long.
            break
        time += case.INTERVAL
        tensions.append(moordyn.GetLineFairTen(line))
    yield tensions
    moordyn.Close(system)


serve({"mooring": mooring}, importlib.metadata.version("moordyn"))
