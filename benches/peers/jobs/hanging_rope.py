"""A hanging rope that is released in the shape of its first mode.

The rope has a length of 1 m and a mass of 1 kg, and its tip starts 1 cm off the vertical. It is pinned at the top. Linear theory of an
inextensible string without bending stiffness (Bernoulli) gives y(s, t) = a J0(2 ω √(s/g)) cos ωt with the height s above the tip and
ω = j/2 √(g/L), where j is the first zero of J0. The error of an amplitude of 1 cm is about 1e-4 of it. A program is accurate
enough if its tip is within 2 % of a of this formula at every tenth of a second for 2 s.
"""

import math

from .search import ladder

BOUND, AMPLITUDE, GRAVITY, FRAMES, FRAME = 0.02, 0.01, 9.81, 20, 0.1
OMEGA = 0.5 * 2.404825557695773 * math.sqrt(GRAVITY)
REFERENCE = "analytic: first mode of a hanging string"
# Numbers of steps per tenth of a second.
STEPS = ladder(1, 4000)
NODES = (4, 5, 6, 7, 9, 13, 17, 25)


def bessel(x):
    """J0 by its series; enough for x up to its first zero."""
    total = term = 1.0
    for index in range(1, 25):
        term *= -0.25 * x * x / (index * index)
        total += term
    return total


def shape(nodes):
    """Points (x, z) of the released rope from the pin to the tip."""
    heights = [1.0 - index / (nodes - 1) for index in range(nodes)]
    return [(AMPLITUDE * bessel(2.0 * OMEGA * math.sqrt(s / GRAVITY)), s - 1.0) for s in heights]


def error(tips):
    """Maximum deviation of the tip, of the amplitude; tips begin with the first frame after the start."""
    if len(tips) != FRAMES:
        return math.inf
    apart = [abs(x - AMPLITUDE * math.cos(OMEGA * FRAME * (index + 1))) for index, x in enumerate(tips)]
    return max(apart) / AMPLITUDE if all(map(math.isfinite, apart)) else math.inf


def scene(nodes, method, steps, stretch=None):
    """A rope whose springs stretch by mg/EA, where EA is stretch times mg."""
    points = ", ".join(f"({x!r}, {z!r})" for x, z in shape(nodes))
    mass = 1.0 / (nodes - 1)
    stiffness = (stretch or 400.0) * GRAVITY * (nodes - 1)
    return f"""(base: (
        frames: {FRAMES + 1}, frame_time: {FRAME}, substeps: {steps}, gravity: (0, {-GRAVITY}), integrator: {method},
        rope: (shape: Points(points: [{points}]), nodes: {nodes}, mass: {mass!r}, stiffness: {stiffness!r}, pins: [First],
            ranges: [(from: {nodes - 1}, to: {nodes - 1}, mass: {0.5 * mass!r})]),
    ))"""


def own_families():
    for method in ("ConstraintVerlet", "Shake", "SemiImplicitEuler", "VelocityVerlet", "Rk4", "ImplicitMidpoint", "DormandPrince8(tolerance: 1e-4)"):
        for nodes in NODES:
            yield {"method": method, "nodes": nodes}


def own_run(own):
    def run(settings):
        tips, seconds = own.simulate(scene(**settings), settings["nodes"] - 1)
        return error([x for x, *_ in tips]), seconds

    return run


def peer_run(peer):
    def run(settings):
        words = dict(settings)
        words["shape"] = shape(words.pop("nodes"))
        tips, seconds = peer.run("hanging_rope", frames=FRAMES, frame=FRAME, **words)
        return error(tips), seconds

    return run


def mujoco_families():
    for integrator in ("Euler", "implicitfast", "RK4"):
        for nodes in NODES:
            yield {"integrator": integrator, "nodes": nodes}


def elastica_families():
    for nodes in NODES[2:]:
        for radius in (0.032, 0.016, 0.008):
            for stretch in (12.5, 25.0, 50.0, 100.0):
                yield {"nodes": nodes, "radius": radius, "stretch": stretch}
