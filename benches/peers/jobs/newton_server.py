"""Jobs of Newton: a cloth of particles and springs, on the processor. Runs in a venv with Newton, whose kernels Warp compiles first."""

import newton
import warp
from serve import serve

SOLVERS = {
    "SemiImplicit": lambda model, iterations: newton.solvers.SolverSemiImplicit(model),
    "XPBD": lambda model, iterations: newton.solvers.SolverXPBD(model, iterations=iterations),
    "VBD": lambda model, iterations: newton.solvers.SolverVBD(model, iterations=iterations),
}


def cloth(nodes, springs, pins, mass, stiffness, damping, frames, frame, steps, solver, iterations, gravity=9.81):
    """Positions of all nodes in each frame."""
    builder = newton.ModelBuilder(gravity=(0.0, 0.0, -gravity))
    for index, place in enumerate(nodes):
        # A mass of 0 holds a particle in place, and without a radius particles do not touch.
        own = 0.0 if index in pins else mass / len(nodes)
        builder.add_particle(pos=tuple(place), vel=(0.0, 0.0, 0.0), mass=own, radius=0.0)
    for a, b in springs:
        builder.add_spring(a, b, stiffness, damping, 0.0)
    builder.color()
    model = builder.finalize(device="cpu")
    stepper = SOLVERS[solver](model, iterations)
    old, new, control, dt, found = model.state(), model.state(), model.control(), frame / steps, []
    yield None
    for _ in range(frames):
        for _ in range(steps):
            old.clear_forces()
            stepper.step(old, new, control, None, dt)
            old, new = new, old
        found.append(old.particle_q.numpy().astype(float).tolist())
    yield found


def warm():
    """Compiles the kernels of all solvers."""
    for solver in SOLVERS:
        line = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0)]
        list(cloth(line, [(0, 1), (1, 2)], [0], 1.0, 1.0, 0.1, 1, 1e-3, 1, solver, 1))


warp.config.quiet = True
warp.set_device("cpu")
warm()
serve({"cloth": cloth}, f"{newton.__version__}, Warp {warp.__version__}")
