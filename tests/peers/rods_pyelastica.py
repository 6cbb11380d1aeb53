"""Compares rods of catena with PyElastica: a cantilever to the same error, and a plectoneme.

    pip install pyelastica numpy
    python3 rods_pyelastica.py PATH_OF_CATENA

The cantilever has PL²/EI = 1; its tip falls by 0.3017208 (elastica). Both programs simulate it with
damping until it rests. Each uses the fewest segments and the longest step with an error of at most
1e-3. The plectoneme is a rod between two clamps, with self-contact; one clamp rotates nine times and
then approaches the other. PyElastica compiles its functions before the clock starts; catena's time
includes the start of the program. All times are processor times. Exits with 1 if the error of a
cantilever is too large, or if catena is less than 30 times as fast in a case.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import elastica as ea
import numpy as np

EXACT = 0.3017208
ERROR = 1e-3
# Slender, so that shear and stretch, which the elastica lacks, stay far below the error.
RADIUS = 0.01

CANTILEVER = """(base: (
    frames: 60, frame_time: 0.5, substeps: 4, gravity: (0, 0, 0), drag: DRAG, integrator: ImplicitEuler,
    rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: NODES, mass: MASS,
        rod: (bending: 1, torsion: 0.75, axial: AXIAL, clamps: [(node: First)])),
    forces: [PointForce(node: Last, force: (0, -1, 0))],
))"""

PLECTONEME = """(base: (
    frames: 300, frame_time: 0.05, substeps: 16, gravity: (0, 0, 0), drag: 0.02, integrator: ImplicitEuler,
    rope: (start: (-2, 0, 0), end: (2, 0, 0), nodes: 121, mass: 0.03,
        rod: (bending: 0.2, torsion: 0.15, axial: AXIAL, clamps: [
            (node: First, tangent: (1, 0, 0)), (node: Last, tangent: (1, 0, 0), turn: [(0, 0), (5, 9)])])),
    anchors: [(node: Last, curve: Linear(keys: [(0, (2, 0, 0)), (3, (2, 0, 0)), (11, (0.4, 0, 0))]))],
    impulses: [(node: 60, impulse: (0, 0.0001, 0.0002))],
    contact: (of: Drawn, thickness: 0.06),
))"""
PLECTONEME_RADIUS = 0.03


class System(
    ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping, ea.Contact
):
    """All PyElastica features of the two cases."""


def rod_of(segments, length, radius, bending, torsion, line_density):
    """A straight rod along x whose round cross-section has this EI and GJ."""
    inertia = np.pi * radius**4 / 4
    return ea.CosseratRod.straight_rod(
        segments,
        np.array([-length / 2, 0.0, 0.0]),
        np.array([1.0, 0.0, 0.0]),
        np.array([0.0, 1.0, 0.0]),
        length,
        radius,
        line_density / (np.pi * radius**2),
        youngs_modulus=bending / inertia,
        shear_modulus=torsion / (2 * inertia),
    )


def elastica_cantilever(segments, dt, final_time, damping):
    """Fall of the tip. PyElastica fixes the middle of the first segment, so the rod is half a segment longer."""
    system = System()
    rod = rod_of(segments, segments / (segments - 0.5), RADIUS, 1.0, 0.75, 1.0)
    system.append(rod)
    system.constrain(rod).using(
        ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)
    )
    load = np.array([0.0, -1.0, 0.0])
    system.add_forcing_to(rod).using(ea.EndpointForces, 0.0 * load, load, ramp_up_time=0.1)
    system.dampen(rod).using(ea.AnalyticalLinearDamper, uniform_damping_constant=damping, time_step=dt)
    system.finalize()
    run(system, final_time, int(final_time / dt))
    return -rod.position_collection[1, -1]


def run(system, final_time, steps):
    ea.integrate(ea.PositionVerlet(), system, final_time, steps, progress_bar=False)


class Clamps(ea.ConstraintBase):
    """Fixes one end, rotates the other end nine times within a time of 5, and moves it by -1.6 between times 3 and 11."""

    def __init__(self, *positions_and_directors, **kwargs):
        super().__init__(**kwargs)
        self.ends = positions_and_directors

    def constrain_values(self, system, time):
        first, last, frame, turned = self.ends
        angle = 2 * np.pi * 9 * min(time / 5, 1)
        sine, cosine = np.sin(angle), np.cos(angle)
        spin = np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])
        way = -1.6 * min(max((time - 3) / 8, 0), 1)
        system.position_collection[..., 0] = first
        system.director_collection[..., 0] = frame
        system.position_collection[..., -1] = last + np.array([way, 0, 0])
        system.director_collection[..., -1] = turned @ spin.T

    def constrain_rates(self, system, time):
        system.velocity_collection[..., 0] = 0
        system.omega_collection[..., 0] = 0
        system.velocity_collection[..., -1] = [-0.2 if 3 < time < 11 else 0, 0, 0]
        rate = 2 * np.pi * 9 / 5 if time < 5 else 0
        frame = system.director_collection[..., -1]
        system.omega_collection[..., -1] = frame @ np.array([rate, 0, 0])


def elastica_plectoneme(dt, final_time):
    """Final positions."""
    system = System()
    rod = rod_of(120, 4.0, PLECTONEME_RADIUS, 0.2, 0.15, 0.9)
    system.append(rod)
    system.constrain(rod).using(
        Clamps, constrained_position_idx=(0, -1), constrained_director_idx=(0, -1)
    )
    system.detect_contact_between(rod, rod).using(ea.RodSelfContact, k=1e3, nu=1.0)
    system.dampen(rod).using(ea.AnalyticalLinearDamper, uniform_damping_constant=0.67, time_step=dt)
    system.finalize()
    rod.velocity_collection[:, 60] += [0, 0.003, 0.006]
    run(system, final_time, int(final_time / dt))
    return rod.position_collection


def catena_tip(catena, scene):
    out = subprocess.run([catena, "trace", scene], capture_output=True, text=True, check=True)
    return -float(out.stdout.splitlines()[-1].split(",")[6])


def spent():
    """Processor time of this program and its children, which does not depend on other programs."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def clocked(what, count=1):
    times = []
    for _ in range(count):
        begun = spent()
        result = what()
        times.append(spent() - begun)
    return result, min(times)


def cantilever(catena, folder):
    # The slowest mode has ω = 3.5; damping of about twice this value settles it fastest.
    best = None
    for segments in (8, 12, 16, 24, 32, 48):
        # Shear waves limit the step; their frequency depends on the radius only.
        for share in (0.8, 0.4, 0.2):
            dt = share * RADIUS**2 / np.sqrt(1.5)
            elastica_cantilever(segments, dt, 20 * dt, 7.0)
            tip, seconds = clocked(lambda: elastica_cantilever(segments, dt, 3.0, 7.0))
            if np.isfinite(tip) and abs(tip - EXACT) <= ERROR * EXACT:
                best = (segments, dt, tip, seconds)
                break
        if best:
            break
    own = None
    axial = 4 / RADIUS**2
    for segments in (8, 12, 16, 24, 32, 48):
        text = CANTILEVER.replace("NODES", str(segments + 1)).replace("MASS", repr(1 / segments))
        scene = str(Path(folder) / "cantilever.ron")
        drag = repr(7.0 / segments)
        Path(scene).write_text(text.replace("AXIAL", repr(axial)).replace("DRAG", drag))
        tip, seconds = clocked(lambda: catena_tip(catena, scene), 3)
        if abs(tip - EXACT) <= ERROR * EXACT:
            own = (segments, 0.125, tip, seconds)
            break
    return best, own


def plectoneme(catena, folder):
    scene = str(Path(folder) / "plectoneme.ron")
    axial = 4 * 0.2 / PLECTONEME_RADIUS**2
    Path(scene).write_text(PLECTONEME.replace("AXIAL", repr(axial)))
    run_catena = lambda: subprocess.run([catena, "trace", scene], capture_output=True, text=True)
    out, own = clocked(run_catena, 3)
    rows = [line.split(",")[5:8] for line in out.stdout.splitlines()[-121:]]
    print(f"catena: extent {np.ptp(np.array(rows, float), axis=0)}")
    dt = 3e-4
    elastica_plectoneme(dt, 20 * dt)
    positions, peer = clocked(lambda: elastica_plectoneme(dt, 15.0))
    print(f"PyElastica: finite {np.isfinite(positions).all()}, extent {np.ptp(positions, axis=1)}")
    return peer, own


def main():
    catena = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        best, own = cantilever(catena, folder)
        for name, found in (("PyElastica", best), ("catena", own)):
            print(f"cantilever, {name}: segments, dt, tip, seconds = {found}")
        ratios = [best[3] / own[3]] if best and own else [0]
        peer, seconds = plectoneme(catena, folder)
        ratios.append(peer / seconds)
    print(f"plectoneme: PyElastica {peer:.1f} s, catena {seconds:.2f} s")
    print(f"catena is {ratios[0]:.0f} and {ratios[1]:.0f} times as fast")
    return 0 if min(ratios) >= 30 else 1


if __name__ == "__main__":
    sys.exit(main())
