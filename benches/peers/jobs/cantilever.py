"""A rod that is clamped at one end and loaded at the other, until it rests.

The rod has a length of 1 and PL²/EI = 1. The reference is the elastica: the tip falls by 0.3017208. Shear and stretch, which the
elastica lacks, stay below the error because the rod is slender. A program is accurate enough within 1e-3.
"""

import math

EXACT, BOUND, RADIUS = 0.3017208, 1e-3, 0.01
REFERENCE = "analytic: elastica, PL²/EI = 1"
# Numbers of steps for the whole run.
STEPS = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768, 49152, 65536]
SEGMENTS = (6, 8, 12, 16, 24, 32)


def error(tip):
    return abs(tip / EXACT - 1.0) if math.isfinite(tip) else math.inf


def scene(segments, seconds, damping, steps):
    """Damping is the drag per mass, in 1/s."""
    return f"""(base: (
        frames: 2, frame_time: {seconds!r}, substeps: {steps}, gravity: (0, 0, 0), drag: {damping / segments!r},
        integrator: ImplicitEuler,
        rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: {segments + 1}, mass: {1.0 / segments!r},
            rod: (bending: 1, torsion: 0.75, axial: {4.0 / RADIUS ** 2!r}, clamps: [(node: First)])),
        forces: [PointForce(node: Last, force: (0, -1, 0))],
    ))"""


def own_families():
    # A method with numerical damping needs less drag and longer steps.
    for segments in SEGMENTS:
        for seconds, damping in ((3.0, 7.0), (6.0, 7.0), (20.0, 2.0)):
            yield {"segments": segments, "seconds": seconds, "damping": damping}


def own_run(own):
    def run(settings):
        tips, seconds = own.simulate(scene(**settings), settings["segments"])
        return error(-tips[-1][1]), seconds

    return run


def mujoco_families():
    for integrator in ("implicitfast", "implicit", "Euler"):
        for segments in SEGMENTS:
            for seconds in (3.0, 6.0, 20.0):
                for damping in (0.3, 0.6):
                    yield {"segments": segments, "seconds": seconds, "damping": damping, "integrator": integrator}


def elastica_families():
    # Thicker rods allow longer steps, but shear adds to the fall of their tip.
    for radius in (0.08, 0.056, 0.04, 0.028, 0.02, RADIUS):
        for segments in SEGMENTS:
            for seconds in (2.0, 3.0):
                yield {"segments": segments, "seconds": seconds, "damping": 7.0, "radius": radius}


def peer_run(peer):
    def run(settings):
        tip, seconds = peer.run("cantilever", **{"radius": RADIUS, **settings})
        return error(tip), seconds

    return run
