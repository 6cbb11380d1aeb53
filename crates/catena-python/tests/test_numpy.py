"""catena compared with the same methods in NumPy: both programs give the same motion."""

import catena
import numpy as np
import rope

FRAMES = 300


def test_semi_implicit_euler_is_that_of_numpy(scenes):
    run = catena.Scene.read(scenes / "compare.ron").simulate(FRAMES)["Semi-implicit Euler"]
    positions, velocities = rope.semi_implicit_euler(FRAMES)
    # The rope moves by hundreds of units, so this does not test a rope at rest.
    assert np.ptp(run.positions[:, -1, 0]) > 300
    np.testing.assert_allclose(run.positions, positions, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.velocities, velocities, rtol=0, atol=1e-9)


def test_constraint_verlet_is_that_of_numpy(scenes):
    run = catena.Scene.read(scenes / "compare.ron").simulate(FRAMES)["Constraint Verlet"]
    positions = rope.constraint_verlet(FRAMES)
    assert np.ptp(run.positions[:, -1, 0]) > 300
    np.testing.assert_allclose(run.positions, positions, rtol=0, atol=1e-9)
