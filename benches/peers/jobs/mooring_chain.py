"""A mooring chain whose ship heaves: the 200 m chain of mooring.py, for 60 s.

Both programs read the same deck. The models differ a little (the bed of MoorDyn is elastic), so each program is compared with its own
converged run; the difference of the converged runs is in the note. A program is accurate enough if the root of the mean squared
difference of the tension at the ship, every tenth of a second, is at most 0.2 % of the swing. The time of MoorDyn begins after it has
found the state at rest; catena's includes that, and the start of the program.
"""

import csv
import math
import statistics

import mooring

BOUND, FRAMES, DECK = 0.002, round(mooring.SECONDS / mooring.INTERVAL), "200 m"
REFERENCE = "converged: the program's own run with 400 steps per 0.1 s"
# Numbers of steps per tenth of a second.
STEPS = [4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200]
FINEST = 400


def deck(folder, steps, scheme="RK2"):
    """A deck with this step and method, and the motion of its ship."""
    path = mooring.moving_deck(mooring.DECKS[DECK], folder)
    text = path.read_text().replace(f"{mooring.STEP} dtM ", f"{mooring.INTERVAL / steps!r} dtM\n{scheme} tScheme\n1.0 unused ")
    lines = [line for line in text.splitlines() if " unused " not in line]
    path.write_text("\n".join(lines) + "\n")
    return path


def error(tensions, reference):
    if len(tensions) != len(reference) or not all(map(math.isfinite, tensions)):
        return math.inf
    swing = max(reference) - min(reference)
    apart = math.sqrt(statistics.fmean((a - b) ** 2 for a, b in zip(tensions, reference)))
    return apart / swing if math.isfinite(apart) else math.inf


def own_families():
    for method in ("Midpoint", "SemiImplicitEuler", "Rk4", "ImplicitMidpoint", "ImplicitEuler"):
        yield {"method": method}


def own_tensions(own, method, steps):
    """Tensions at the ship without the first, and the processor time of `catena trace`."""
    scene, table = own.folder / "mooring.ron", own.folder / "mooring.csv"
    if not scene.exists():
        path = deck(own.folder, 100)
        own.spent("import", path, "--motion", own.folder / "motion.txt", "-o", scene)
    seconds = own.spent("trace", scene, "--forces", "--frames", FRAMES + 1, "--unlimited", "--set", f"integrator={method}",
                        "--set", f"substeps={steps}", "-o", table)
    _, _, _, _, length, segments = mooring.row_of(mooring.DECKS[DECK], "LINES")[:6]
    volume = 0.25 * math.pi * mooring.DIAMETER**2
    # Half of the last segment hangs from the pin.
    half = 0.5 * float(length) / int(segments) * (mooring.MASS - mooring.WATER * volume) * mooring.GRAVITY
    with table.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["index"] == segments and row["is_collider"] == "0"]
    # A diverged run has no numbers.
    forces = [(float(row["fx"] or "nan"), float(row["fy"] or "nan")) for row in rows[1:]]
    return [math.hypot(x, y + half) for x, y in forces], seconds


def own_reference(own):
    return own_tensions(own, "Midpoint", FINEST)[0]


def own_run(own, reference):
    def run(settings):
        tensions, seconds = own_tensions(own, **settings)
        return error(tensions, reference), seconds

    return run


def peer_families():
    for scheme in ("RK2", "RK4"):
        yield {"scheme": scheme}


def peer_tensions(peer, folder, scheme, steps):
    return peer.run("mooring", deck=str(deck(folder, steps, scheme)), frames=FRAMES)


def peer_reference(peer, folder):
    return peer_tensions(peer, folder, "RK2", FINEST)[0]


def peer_run(peer, folder, reference):
    def run(settings):
        tensions, seconds = peer_tensions(peer, folder, **settings)
        return error(tensions, reference), seconds

    return run
