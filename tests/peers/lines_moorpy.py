"""Compares lines at rest of `catena statics` with MoorPy and MoorDyn, without friction.

    pip install moorpy moordyn numpy
    python3 lines_moorpy.py PATH_OF_CATENA

MoorPy solves the elastic catenary in closed form. catena's chain has 1,000 segments, so the forces at
both ends must agree to 1e-6. MoorDyn simulates its chain of 200 segments until it rests, so its forces
must agree to 1 %. Exits with 1 otherwise, or if catena finds no rest state.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import moordyn
import numpy as np
from moorpy.Catenary import catenary

GRAVITY = 9.81
WEIGHT = 800.0
# Span, height, length, EA, and whether a part is on the seabed.
CASES = [
    (400, 200, 460, 7.51e12, False),
    (400, 200, 460, 1e8, False),
    (400, 200, 500, 7.51e12, True),
    (400, 200, 500, 1e8, True),
    (700, 150, 740, 5e8, True),
]
SEGMENTS = 1000

SCENE = """(base: (
    gravity: (0, -{g}), colliders: [{bed}],
    rope: (shape: {shape}, {ends} length: {length}, nodes: {nodes}, pins: [First, Last],
        material: Elastic(young: {axial!r}, density: {density!r}), area: 1),
))"""

LINES = """MoorDyn input
---------------------- LINE TYPES ----------------------
Name Diam MassDen EA BA/-zeta EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (N-s/-) (N-m^2) (-) (-) (-) (-)
line 1e-3 {mass!r} {axial!r} -0.8 0 1.2 0 0 0
---------------------- POINTS --------------------------
ID Attachment X Y Z M V CdA CA
(#) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 0 0 {bottom} 0 0 0 0
2 Coupled {span} 0 {top} 0 0 0 0
---------------------- LINES ---------------------------
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(#) (-) (-) (-) (m) (-) (-)
1 line 1 2 {length} {segments} -
---------------------- OPTIONS -------------------------
{dt} dtM
1e-9 WaterDens
{g} g
{depth} WtrDpth
3e6 kBot
3e5 cBot
0 FrictionCoefficient
60 TmaxIC
1e-7 threshIC
4 CdScaleIC
--------------------------------------------------------
"""


def catena_forces(catena, folder, case):
    span, height, length, axial, has_bed = case
    scene = Path(folder) / "line.ron"
    shape, ends = "Hanging", f"start: (0, 0), end: ({span}, {height}),"
    if has_bed:
        # The start must not be below the seabed: the line follows the seabed, then goes straight to the other end.
        on_bed = bed_length(span, height, length)
        shape, ends = f"Points(points: [(0, 0), ({on_bed!r}, 0), ({span}, {height})])", ""
    scene.write_text(
        SCENE.format(
            g=GRAVITY, bed="Plane(point: (0, 0), normal: (0, 1))" if has_bed else "",
            shape=shape, ends=ends, length=length, nodes=SEGMENTS + 1, axial=axial,
            density=WEIGHT / GRAVITY,
        )
    )
    run = subprocess.run([catena, "statics", scene, "--json"], capture_output=True, text=True)
    body = json.loads(run.stdout)["bodies"][0] if run.stdout else {}
    if "pins" not in body:
        print("catena:", body.get("reason", run.stderr.strip() or run.stdout[:300]))
        return None
    first, last = [np.array(pin["force"][:2]) for pin in body["pins"]]
    return [first[0], first[1], -last[0], -last[1]]


def bed_length(span, height, length):
    """Length on the seabed of a line that is straight from there to its end: d + √((X - d)² + Z²) = L."""
    low, high = 0.0, float(span)
    for _ in range(80):
        middle = (low + high) / 2
        if middle + np.hypot(span - middle, height) < length:
            low = middle
        else:
            high = middle
    return low


def moordyn_forces(folder, case):
    span, height, length, axial, has_bed = case
    segments = 200
    mass = WEIGHT / GRAVITY
    # Far above the seabed if no part is on it.
    depth = height if has_bed else 10 * height
    wave = np.sqrt(axial / mass) / (length / segments)
    path = Path(folder) / "lines.txt"
    path.write_text(
        LINES.format(
            mass=mass, axial=axial, bottom=-depth if has_bed else -height, span=span, top=0,
            length=length, segments=segments, dt=0.3 / wave, g=GRAVITY, depth=depth,
        )
    )
    system = moordyn.Create(str(path))
    end = [float(span), 0.0, 0.0]
    moordyn.Init(system, end, [0.0, 0.0, 0.0])
    forces = moordyn.Step(system, end, [0.0, 0.0, 0.0], 0.0, 0.1)
    moordyn.Close(system)
    return [-forces[0], -forces[2]]


def main():
    catena = str(Path(sys.argv[1]).resolve())
    is_fine = True
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            span, height, length, axial, has_bed = case
            friction = 0 if has_bed else -1
            peer = catenary(span, height, length, axial, WEIGHT, CB=friction)
            exact = [peer[0], peer[1], -peer[2], -peer[3]]
            print(case)
            print("  MoorPy ", " ".join(f"{force:15.4f}" for force in exact))
            own = catena_forces(catena, folder, case)
            if own is None:
                is_fine = False
            else:
                # A pin on the seabed does not carry the part of the line on the seabed.
                size = np.hypot(exact[2], exact[3])
                parts = (0, 2, 3) if has_bed else range(4)
                apart = max(abs(own[k] - exact[k]) for k in parts) / size
                print("  catena ", " ".join(f"{force:15.4f}" for force in own), f"apart {apart:.1e}")
                is_fine &= apart <= 1e-6
            if axial > 1e10:
                # MoorDyn would need too many steps.
                continue
            waited = moordyn_forces(folder, case)
            apart = max(abs(waited[0] - exact[2]), abs(waited[1] - exact[3])) / np.hypot(*exact[2:])
            print("  MoorDyn", 32 * " ", " ".join(f"{force:15.4f}" for force in waited), f"apart {apart:.1e}")
            is_fine &= apart <= 0.01
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
