#!/usr/bin/env python3
"""Compares catena with MoorDyn and CableDyn on the same mooring chains: tensions at rest and in motion, and time.

    python3 benches/peers/mooring.py [--catena PATH] [--python PATH] [--pairs 5]

MoorDyn reads the decks of the repository as they are, catena reads them through `catena import`, and CableDyn reads them
rewritten in its own format. At rest, the script compares the tension of the segment at the ship and of the segment at the anchor.
In motion, the ship heaves by 2 m with a period of 10 s, for 60 s, and both programs use the same step; the script compares the
tension at the ship every tenth of a second. Times are of whole interleaved runs: reading the deck, finding the rest state, and all
steps. CableDyn reports the force on the end, which includes the weight of half a segment, and takes no part in the comparison of
motion. Without --python, the script makes a venv and installs both peers into it.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from programs import REPOSITORY, catena, python_with

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ["numpy==2.4.6", "moordyn==2.7.2", "cabledyn==0.3.0"]
DECKS = {
    "50 m": REPOSITORY / "scenes/mooring.txt",
    "200 m": REPOSITORY / "tests/decks/wd0200.txt",
    "600 m": REPOSITORY / "tests/decks/wd0600.txt",
}
# The chain of all decks (kg/m, m, N), and MoorDyn's gravity and water density.
MASS, DIAMETER, STIFFNESS, GRAVITY, WATER = 390.0, 0.252, 1.674e9, 9.80665, 1025.0
HEAVE, PERIOD, SECONDS, INTERVAL, STEP = 2.0, 10.0, 60.0, 0.1, 0.001


def row_of(deck, section):
    """Words of the first row of values of a section."""
    lines = deck.read_text().splitlines()
    start = next(index for index, line in enumerate(lines) if f"- {section} -" in line)
    return lines[start + 3].split()


def height(seconds):
    """Height of the ship, which starts to move smoothly within one period."""
    share = min(seconds / PERIOD, 1.0)
    return HEAVE * share * share * (3.0 - 2.0 * share) * math.sin(2.0 * math.pi * seconds / PERIOD)


def moving_deck(deck, folder):
    """Writes a deck with the common step, and the motion of its ship."""
    text = deck.read_text().replace("0.1   cfl ", f"{STEP} dtM ")
    path = folder / "moving.txt"
    path.write_text(text)
    # The motion extends beyond the last step, so that it does not end during the run.
    count = round((SECONDS + 1.0) / 0.05)
    rows = [f"{index * 0.05!r} 0 0 {height(index * 0.05)!r}" for index in range(count + 1)]
    (folder / "motion.txt").write_text("\n".join(rows) + "\n")
    return path


# Scripts that run in the venv. Each prints one line of JSON after the peer's own output.
MOORDYN = """
import json, math, sys, time
import moordyn, numpy
sys.path.insert(0, sys.argv[1])
import mooring
start = time.perf_counter()
system = moordyn.Create(sys.argv[2])
moordyn.Init(system, [0.0] * 3, [0.0] * 3)
line = moordyn.GetLine(system, 1)
last = moordyn.GetLineN(line)
ends = [float(numpy.linalg.norm(moordyn.GetLineNodeTen(line, node))) for node in (last, 0)]
tensions, t = [], 0.0
for index in range(int(sys.argv[3])):
    z, later = mooring.height(t), mooring.height(t + mooring.INTERVAL)
    speed = (later - z) / mooring.INTERVAL
    moordyn.Step(system, [0.0, 0.0, z], [0.0, 0.0, speed], t, mooring.INTERVAL)
    t += mooring.INTERVAL
    tensions.append(moordyn.GetLineFairTen(line))
seconds = time.perf_counter() - start
moordyn.Close(system)
print("\\nRESULT", json.dumps([ends, tensions, seconds]))
"""

CABLEDYN = """
import json, sys, time
from cabledyn import CableDynDriver
start = time.perf_counter()
run = CableDynDriver().run(sys.argv[1], sys.argv[2], timeout=600, overwrite=True).read_main()
ends = [run.statistics(name)[0].mean for name in ("FairTen1", "AnchTen1")]
print("\\nRESULT", json.dumps([ends, time.perf_counter() - start]))
"""


def in_python(python, program, *words):
    command = [python, "-c", program, *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=words[-1] if os.path.isdir(words[-1]) else None)
    found = [line for line in run.stdout.splitlines() if line.startswith("RESULT ")]
    if not found:
        sys.exit(f"{command[0]} failed: {run.stdout[-500:]}{run.stderr[-2000:]}")
    return json.loads(found[0].removeprefix("RESULT "))


def cabledyn_deck(deck, folder):
    """The deck in CableDyn's format, without motion."""
    x, _, z = row_of(deck, "POINTS")[2:5]
    length, segments = row_of(deck, "LINES")[4:6]
    damping = float(length) / int(segments) * math.sqrt(STIFFNESS * MASS)
    kind = f"chain {DIAMETER} {MASS} {STIFFNESS} {damping} 0 1.37 0.64 1 0"
    tables = {
        "LINE TYPES": ("TypeName Diam MassDenInAir EA BA EI Cd_n Cd_t Ca_n Ca_t", [kind]),
        "POINTS": ("ID Type X Y Z", ["1 Coupled 0 0 0", f"2 Fixed {x} 0 {z}"]),
        "LINES": ("ID NodeA NodeB Outputs", ["1 1 2 -"]),
        "SECTIONS": ("LineID LineType Length NumSegs", [f"1 chain {length} {segments}"]),
    }
    lines = ["A chain at rest"]
    for name, (columns, rows) in tables.items():
        lines += [f"--- {name} ---", columns, " ".join("(-)" for _ in columns.split()), *rows]
    options = [f"{GRAVITY} g", f"{WATER} rhoW", f"{-float(z)} WtrDpth", "1e5 kBot", "1e4 cBot", "False modified_newton",
               "0.01 dtM", "0.02 TMax", "False adaptive_mesh", "False tensile_safety", "none current", "none waves",
               "0 WaterKin"]
    lines += ["--- OPTIONS ---", *options, "--- OUTPUTS ---", '"FairTen1"', '"AnchTen1"', "--- need this line ---"]
    path = folder / "cabledyn.dat"
    path.write_text("\n".join(lines) + "\n")
    return path


def catena_run(program, deck, folder, frames):
    """Returns tensions at both ends at rest, tensions at the ship in motion, seconds of the commands, and forces on the pins."""
    scene, table = folder / "scene.ron", folder / "forces.csv"
    scene.unlink(missing_ok=True)
    commands = [
        [program, "import", deck, "--motion", folder / "motion.txt", "-o", scene],
        [program, "trace", scene, "--forces", "--frames", str(frames + 1), "--unlimited", "-o", table],
    ]
    start = time.perf_counter()
    for command in commands:
        subprocess.run([str(word) for word in command], check=True, capture_output=True)
    seconds = time.perf_counter() - start
    rest = folder / "rest.ron"
    rest.unlink(missing_ok=True)
    subprocess.run([program, "import", deck, "-o", rest], check=True, capture_output=True)
    told = subprocess.run([program, "statics", rest, "--json"], check=True, capture_output=True)
    body = json.loads(told.stdout)["bodies"][0]
    tensions = body["tensions"]
    forces = [math.hypot(*pin["force"]) for pin in reversed(body["pins"])]
    segments = len(tensions)
    # The force on the pin, less the weight of the half segment that hangs from it.
    length = float(row_of(deck, "LINES")[4]) / segments
    half = 0.5 * length * (MASS - WATER * 0.25 * math.pi * DIAMETER ** 2) * GRAVITY
    with table.open(newline="") as file:
        own = [row for row in csv.DictReader(file) if row["index"] == str(segments) and row["is_collider"] == "0"]
    moving = [math.hypot(float(row["fx"]), float(row["fy"]) + half) for row in own[1:]]
    return [tensions[-1], tensions[0]], moving, seconds, forces


def percent(found, expected):
    return f"{100.0 * (found / expected - 1.0):+.2f} %"


def measure(name, deck, options, folder):
    frames = round(SECONDS / INTERVAL)
    moving = moving_deck(deck, folder)
    runs = []
    for _ in range(options.pairs):
        ours = catena_run(options.catena, moving, folder, frames)
        runs.append((ours, in_python(options.python, MOORDYN, HERE, moving, frames)))
    (ends, tensions, _, forces), (peer_ends, peer_tensions, _) = runs[0]
    other_ends, _ = in_python(options.python, CABLEDYN, cabledyn_deck(deck, folder), folder / "cabledyn")
    ratios = [peer[2] / ours[2] for ours, peer in runs]
    swing = max(peer_tensions) - min(peer_tensions)
    apart = math.sqrt(statistics.fmean((a - b) ** 2 for a, b in zip(tensions, peer_tensions)))
    return (f"| {name} | {ends[0] / 1e3:.1f}, {ends[1] / 1e3:.1f} | {percent(ends[0], peer_ends[0])}, {percent(ends[1], peer_ends[1])} "
            f"| {percent(forces[0], other_ends[0])}, {percent(forces[1], other_ends[1])} | {percent(max(tensions), max(peer_tensions))} "
            f"| {100.0 * apart / swing:.1f} % | {statistics.median(ratios):.1f}x | {min(ratios):.1f} to {max(ratios):.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--catena", metavar="PATH",
                        help="the program to measure [default: built from the repository]")
    parser.add_argument("--python", metavar="PATH", help="a Python that has both peers [default: a venv]")
    parser.add_argument("--pairs", type=int, default=5, help="pairs per row [default: 5]")
    options = parser.parse_args()
    options.catena, options.python = catena(options.catena), python_with(PEERS, "mooring", options.python)
    print("| chain | catena at rest: ship, anchor, kN | relative to MoorDyn | relative to CableDyn | maximum in motion | rms of the difference, "
          "of the swing | MoorDyn's time over catena's | pairs from-to |")
    print("| --- " * 8 + "|")
    for name, deck in DECKS.items():
        with tempfile.TemporaryDirectory(prefix="mooring-") as folder:
            print(measure(name, deck, options, pathlib.Path(folder)), flush=True)


if __name__ == "__main__":
    main()
