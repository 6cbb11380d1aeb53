"""Jobs of PyElastica: soft rods. Runs in a venv with PyElastica, which compiles its functions before the first job is timed."""

import importlib.metadata
import math

import elastica as ea
import numpy as np
from serve import serve


class System(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping):
    """All features that the jobs use."""


class Pin(ea.ConstraintBase):
    """Holds a node in place and lets the rod turn about it."""

    def __init__(self, place, **options):
        super().__init__(**options)
        self.place = place

    def constrain_values(self, system, time):
        system.position_collection[..., 0] = self.place

    def constrain_rates(self, system, time):
        system.velocity_collection[..., 0] = 0.0


def hanging_rope(shape, radius, stretch, frames, frame, steps, gravity=9.81):
    """x of the tip in each frame. EA is stretch times the weight. The rod starts stretched by its weight, so that it does not bounce."""
    places = np.array([(x, 0.0, z) for x, z in shape]).T
    area = math.pi * radius**2
    modulus = stretch * gravity / area
    rod = ea.CosseratRod.straight_rod(
        len(shape) - 1, places[:, 0], np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0]), 1.0, radius, 1.0 / area,
        youngs_modulus=modulus, shear_modulus=modulus / 3.0, position=places)
    below = 1.0 - (np.arange(len(shape) - 1) + 0.5) / (len(shape) - 1)
    rod.rest_lengths[:] = rod.lengths / (1.0 + below / stretch)
    system, dt = System(), frame / steps
    system.append(rod)
    system.constrain(rod).using(Pin, constrained_position_idx=(0,))
    system.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=np.array([0.0, 0.0, -gravity]))
    system.finalize()
    stepper, time, tips = ea.PositionVerlet(), 0.0, []
    yield None
    for _ in range(frames):
        for _ in range(steps):
            time = stepper.step(system, time, dt)
        tip = float(rod.position_collection[0, -1])
        if not abs(tip) < 1.0:
            break
        tips.append(tip)
    yield tips


def cantilever(segments, seconds, damping, steps, radius):
    """Fall of the tip. PyElastica fixes the middle of the first segment, so the rod is half a segment longer."""
    inertia = math.pi * radius**4 / 4
    rod = ea.CosseratRod.straight_rod(
        segments, np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), segments / (segments - 0.5), radius,
        1.0 / (math.pi * radius**2), youngs_modulus=1.0 / inertia, shear_modulus=0.75 / (2.0 * inertia))
    system, dt = System(), seconds / steps
    system.append(rod)
    system.constrain(rod).using(ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    load = np.array([0.0, -1.0, 0.0])
    system.add_forcing_to(rod).using(ea.EndpointForces, 0.0 * load, load, ramp_up_time=0.1)
    system.dampen(rod).using(ea.AnalyticalLinearDamper, uniform_damping_constant=damping, time_step=dt)
    system.finalize()
    stepper, time = ea.PositionVerlet(), 0.0
    yield None
    for index in range(steps):
        time = stepper.step(system, time, dt)
        if index % 64 == 0 and not abs(rod.position_collection[1, -1]) < 10.0:
            break
    yield float(-rod.position_collection[1, -1])


def warm():
    """Compiles everything, as a first job does."""
    np.seterr(all="ignore")
    line = [(0.0, -0.1 * index) for index in range(11)]
    for job in (hanging_rope(line, 0.01, 100.0, 1, 1e-4, 2), cantilever(8, 1e-4, 7.0, 2, 0.01)):
        list(job)


warm()
serve({"hanging_rope": hanging_rope, "cantilever": cantilever}, importlib.metadata.version("pyelastica"))
