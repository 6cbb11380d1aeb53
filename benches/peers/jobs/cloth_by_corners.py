"""A cloth that is hung by two corners and released from the horizontal.

The cloth has 21 x 21 nodes, a side of 1 m and a mass of 0.5 kg. Its springs are the sides of its triangles: rows, columns and one
diagonal per cell, each with a stiffness of 1000 N/m and a damping of 0.2 N s/m. All programs solve the same equations, so all are compared
with one reference: catena with DormandPrince8 and a tolerance of 1e-10. A program is accurate enough if the root of the mean squared
distance of its nodes is at most 1 % of the side at 0.25 s and 0.5 s.
"""

from .search import ladder, rms

BOUND, SIDE, GRAVITY, MASS, STIFFNESS, DAMPING, FRAMES, FRAME = 0.01, 21, 9.81, 0.5, 1000.0, 0.2, 2, 0.25
REFERENCE = "converged: catena, DormandPrince8, tolerance 1e-10"
# Numbers of steps per quarter of a second.
STEPS = ladder(4, 8000)


def nodes():
    """Positions row by row, z upwards."""
    share = 1.0 / (SIDE - 1)
    return [(column * share, row * share, 0.0) for row in range(SIDE) for column in range(SIDE)]


def triangles():
    for row in range(SIDE - 1):
        for column in range(SIDE - 1):
            first = row * SIDE + column
            yield first, first + 1, first + SIDE + 1
            yield first, first + SIDE + 1, first + SIDE


def springs():
    sides = {tuple(sorted(pair)) for a, b, c in triangles() for pair in ((a, b), (b, c), (c, a))}
    return sorted(sides)


def pins():
    return [0, SIDE - 1]


def write_mesh(folder):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in nodes()]
    lines += ["f " + " ".join(str(corner + 1) for corner in corners) for corners in triangles()]
    (folder / "cloth.obj").write_text("\n".join(lines) + "\n")


def scene(method, steps):
    return f"""(base: (
        frames: {FRAMES + 1}, frame_time: {FRAME}, substeps: {steps}, gravity: (0, 0, {-GRAVITY}), integrator: {method},
        mesh: (file: "cloth.obj", stiffness: {STIFFNESS}, damping: {DAMPING}, mass: {MASS / SIDE ** 2!r}, pins: {pins()}),
    ))"""


def reference(own):
    write_mesh(own.folder)
    return own.simulate(scene("DormandPrince8(tolerance: 1e-10)", 100))[0]


def error(frames, expected):
    return max(rms(frame, other) for frame, other in zip(frames, expected, strict=True))


def own_families():
    for method in ("SemiImplicitEuler", "Rk4", "Heun", "ImplicitEuler(tolerance: 1e-3)", "ImplicitEuler", "Xpbd(iterations: 1)",
                   "Xpbd(iterations: 4)", "Xpbd"):
        yield {"method": method}


def own_run(own, expected):
    def run(settings):
        frames, seconds = own.simulate(scene(**settings))
        return error(frames, expected), seconds

    return run


def peer_run(peer, expected):
    def run(settings):
        frames, seconds = peer.run(
            "cloth", nodes=nodes(), springs=springs(), pins=pins(), mass=MASS, stiffness=STIFFNESS, damping=DAMPING, frames=FRAMES,
            frame=FRAME, **settings)
        return error(frames, expected), seconds

    return run


def mujoco_families():
    for integrator in ("Euler", "RK4", "implicitfast", "implicit"):
        yield {"integrator": integrator}


def newton_families():
    yield {"solver": "SemiImplicit", "iterations": 1}
    for solver in ("XPBD", "VBD"):
        for iterations in (1, 4, 10):
            yield {"solver": solver, "iterations": iterations}
