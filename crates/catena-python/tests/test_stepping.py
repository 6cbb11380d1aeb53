"""Stepped simulations: bits, external changes, states and bytes."""

import copy
import math
import pathlib
import pickle
import threading

import catena
import numpy as np
import pytest

SCENE = """Scene(base: (
    gravity: (0, -9.81), frame_time: 0.02, substeps: 8, frames: 20,
    rope: (start: (0, 0), end: (1, 0), nodes: 9, mass: 0.05, stiffness: 200, pins: [First]),
))"""
METHODS = [method.name for method in catena.methods()]


def same(one, other):
    np.testing.assert_array_equal(one.positions, other.positions)
    np.testing.assert_array_equal(one.velocities, other.velocities)
    assert one.time == other.time


@pytest.mark.parametrize("method", METHODS)
def test_steps_and_states_are_the_unbroken_run(method):
    scene = catena.Scene.parse(SCENE, {"integrator": method})
    run = scene.simulate(frames=6)[0]
    sim, other = scene.start(), scene.start()
    for frame in range(1, 6):
        sim.step(3)
        # Transfers the state through a pickle into another simulation with a different state.
        other.step(2)
        other.set_state(pickle.loads(pickle.dumps(sim.state)))
        assert other.state == sim.state
        other.step(5)
        sim.set_state(sim.state)
        sim.advance()
        for it in (sim, other):
            np.testing.assert_array_equal(it.positions, run.positions[frame])
            np.testing.assert_array_equal(it.velocities, run.velocities[frame])
            assert (it.frame, it.time) == (frame, run.times[frame])
    assert sim.outcome == run.outcome


@pytest.mark.parametrize("method", METHODS)
def test_changes_go_through_saved_bytes(method):
    scene = catena.Scene.parse(SCENE, {"integrator": method})
    sim = scene.start()
    changes = [
        lambda it: it.pin(0, velocity=(0.2, 0.1)),
        lambda it: it.push(-1, (0.0, 0.5), duration=5 * it.dt),
        lambda it: it.pin(4, place=(0.4, -0.2)),
        lambda it: it.kick(6, (0.01, 0.02)),
        lambda it: it.release(0),
        lambda it: it.push(-1, np.array([0.1, 0.2]), math.inf),
        lambda it: it.set_state(velocities=0.5 * it.velocities),
        lambda it: it.end_pushes(),
    ]
    for change in changes:
        change(sim)
        sim.step(2)
        other = scene.resume(sim.save())
        for it in (sim, other):
            it.step(11)
        same(sim, other)
    assert sim.pinned.tolist() == [node == 4 for node in range(9)]
    np.testing.assert_array_equal(sim.positions[4], (0.4, -0.2))


SCENES = sorted((pathlib.Path(__file__).resolve().parents[3] / "scenes").glob("*.ron"))


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_scene_steps_as_it_simulates(path):
    """Methods, contacts, rods, events and slips: with saved bytes within frames, and with steering."""
    scene = catena.Scene.read(path)
    bodies = [body for panel in scene.panels for body in panel.bodies]
    if sum(body.nodes * body.substeps for body in bodies) > 150_000:
        pytest.skip("takes long")
    for run, body in zip(scene.simulate(3), bodies):
        sim = scene.start(run.label)
        for steps in (body.substeps // 3, body.substeps - body.substeps // 3, body.substeps // 2):
            sim.step(steps)
            sim = scene.resume(sim.save())
        sim.advance()
        np.testing.assert_array_equal(sim.positions, run.positions[2])
        np.testing.assert_array_equal(sim.velocities, run.velocities[2])
        other = scene.resume(sim.save())
        for change in (
            lambda it: it.pin(-1, velocity=np.full(scene.axes, 0.1)),
            lambda it: it.push(0, np.full(scene.axes, 0.5), duration=3 * it.dt),
            lambda it: it.release(-1),
        ):
            for it in (sim, other):
                change(it)
                it.step(2)
            other = scene.resume(other.save())
            np.testing.assert_array_equal(other.positions, sim.positions)


def test_a_simulation_has_all_bodies(scenes):
    scene = catena.Scene.read(scenes / "compare.ron")
    sim = scene.start()
    assert sim.labels == scene.labels and len(sim.bodies) == 2
    sim.advance(3)
    sim.step(10)
    runs = scene.simulate(5)
    sim.advance()
    for label in scene.labels:
        np.testing.assert_array_equal(sim.bodies[label].positions, runs[label].positions[4])
    assert sim.bodies[-1].label == "Constraint Verlet"
    assert [body.frame for body in sim.bodies] == [4, 4]
    with pytest.raises(ValueError, match=r"2 bodies.*scene\.start\(body\)"):
        sim.positions
    with pytest.raises(KeyError, match="Constraint Verlet"):
        sim.bodies["Verlet"]
    with pytest.raises(IndexError):
        sim.bodies[2]
    one = scene.start("Constraint Verlet")
    one.advance(4)
    np.testing.assert_array_equal(one.positions, sim.bodies[1].positions)
    uneven = catena.Scene.parse(
        "Scene(base: (rope: (nodes: 3, pins: [0])), panels: [(), (with: (substeps: 7))])"
    ).start()
    with pytest.raises(ValueError, match="different steps"):
        uneven.step()
    uneven.advance(2)
    assert uneven.bodies[0].time == uneven.bodies[1].time == uneven.time


def test_energies_and_contacts():
    text = SCENE.replace("\n))", "\ncolliders: [Plane(point: (0, -0.3), normal: (0, 1))]))")
    scene = catena.Scene.parse(text)
    run, sim = scene.simulate(20)[0], scene.start()
    sim.advance(19)
    for name in ("kinetic", "gravitational", "elastic", "total"):
        assert sim.energy[name] == run.energies[name][19]
    contacts = sim.contacts
    assert contacts["nodes"].shape == (9, 2) and contacts["colliders"].shape == (1, 2)
    # The forces on the nodes are minus the forces on the collider.
    np.testing.assert_allclose(
        contacts["nodes"].sum(axis=0), -contacts["colliders"][0], atol=1e-9
    )
    assert contacts["nodes"][:, 1].max() > 0


def test_a_divergence_shows_at_the_end_of_its_frame(scenes):
    scene = catena.Scene.read(scenes / "explicit_64.ron")
    run, sim = scene.simulate(20)[0], scene.start()
    while sim.outcome == "fine":
        sim.step(7)
    assert sim.bodies[0].diverged == run.diverged


def test_what_cannot_be_is_refused():
    scene = catena.Scene.parse(SCENE)
    sim = scene.start()
    sim.step(3)
    before = sim.state
    for error, match, act in [
        (ValueError, "no node 9", lambda: sim.pin(9)),
        (ValueError, "no node -10", lambda: sim.push(-10, (0, 0))),
        (ValueError, r"shape \(2,\), found \(3,\)", lambda: sim.pin(1, (0, 0, 0))),
        (ValueError, "finite", lambda: sim.pin(1, (math.nan, 0))),
        (ValueError, "not pinned", lambda: sim.release(3)),
        (ValueError, "pinned", lambda: sim.kick(0, (1, 0))),
        (ValueError, "duration", lambda: sim.push(1, (1, 0), duration=-1)),
        (ValueError, r"shape \(9, 2\)", lambda: sim.set_state(positions=[[0, 0]])),
        (TypeError, "set_state", lambda: sim.set_state()),
        (TypeError, "not both", lambda: sim.set_state(before, positions=before.positions)),
        (OverflowError, "negative", lambda: sim.step(-1)),
        (ValueError, "not a state that this version", lambda: scene.resume(b"")),
        (ValueError, "damaged", lambda: scene.resume(sim.save()[:-1])),
        (ValueError, "another scene", lambda: scene.with_set("drag=0.5").resume(sim.save())),
    ]:
        with pytest.raises(error, match=match):
            act()
    assert sim.state == before
    other = catena.Scene.parse(SCENE, {"rope.nodes": 8}).start()
    with pytest.raises(ValueError, match="a different setup"):
        other.set_state(before)
    assert copy.deepcopy(before) == before and before != other.state


def test_threads_may_share_a_simulation():
    sim = catena.Scene.parse(SCENE).start()
    threads = [threading.Thread(target=lambda: [sim.step() for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other = catena.Scene.parse(SCENE).start()
    other.step(200)
    same(sim, other)


@pytest.mark.parametrize("method", ["SemiImplicitEuler", "ConstraintVerlet", "Rk4", "ImplicitEuler"])
def test_a_batch_has_the_bits_of_single_runs(method):
    scene = catena.Scene.parse(SCENE, {"integrator": method})
    sets = [{"drag": 0.01 * (number + 1)} for number in range(20)]
    batch = catena.Batch(scene, sets)
    alone = [scene.with_set(one).start() for one in sets]
    random = np.random.default_rng(3)

    def compare():
        assert batch.positions.shape == batch.velocities.shape == (20, 9, 2)
        for run, sim in enumerate(alone):
            np.testing.assert_array_equal(batch.positions[run], sim.positions)
            np.testing.assert_array_equal(batch.velocities[run], sim.velocities)
            assert batch.times[run] == sim.time and batch.state(run) == sim.state
        np.testing.assert_array_equal(batch.positions_of(-1), batch.positions[:, -1])

    for frame in range(5):
        places = 0.1 * random.random((20, 2))
        batch.pin(0, places)
        for place, sim in zip(places, alone):
            sim.pin(0, place)
        batch.advance()
        for sim in alone:
            sim.advance()
        compare()
    mask = np.arange(20) % 3 == 0
    batch.reset(mask)
    batch.pin(0, velocities=(0.1, 0.0), mask=~mask)
    forces = np.zeros((20, 9, 2))
    forces[5, 8] = (0.1, 0.3)
    batch.push(forces, steps=4)
    for run, sim in enumerate(alone):
        if mask[run]:
            alone[run] = sim = scene.with_set(sets[run]).start()
        else:
            sim.pin(0, velocity=(0.1, 0.0))
        if run == 5:
            sim.push(8, forces[5, 8], duration=4 * sim.dt)
    batch.step(13)
    for sim in alone:
        sim.step(13)
    for run, sim in enumerate(alone):
        np.testing.assert_array_equal(batch.positions[run], sim.positions)
        assert batch.energies["total"][run] == sim.energy["total"]
    assert not batch.diverged.any()
    batch.release(0)
    batch.set_state(3, batch.state(2))
    batch.set_motion(velocities=np.zeros((20, 9, 2)))
    assert (batch.velocities == 0).all()
    for match, act in [
        ("choose one", lambda: catena.Batch(catena.Scene.parse(SCENE[:-1] + ", panels: [(), ()])"), 2)),
        ("run 1 has different", lambda: catena.Batch(scene, [{}, {"rope.nodes": 5}])),
        ("not from 1", lambda: catena.Batch(scene, 0)),
        ("runs: -2 is not from 1", lambda: catena.Batch(scene, -2)),
        ("runs: 1000000000000000000000 is not from 1", lambda: catena.Batch(scene, 10**21)),
        (r"\(20, 2\)", lambda: batch.pin(0, np.zeros((3, 2)))),
        ("20 values", lambda: batch.reset([True])),
        ("not pinned", lambda: batch.release(0)),
    ]:
        with pytest.raises(ValueError, match=match):
            act()


DRAWN = """Scene(
    base: (size: (320, 240), frames: 6, frame_time: 0.1, substeps: 64,
        rope: (start: (0, 0), end: (1, 0), nodes: 8, stiffness: 300, pins: [First])),
    panels: [
        (label: "a", with: (integrator: SemiImplicitEuler)),
        (label: "b", with: (integrator: ConstraintVerlet, style: (color_by: Tension, arrows: All))),
    ],
)"""


def test_pictures_of_a_simulation_are_those_of_the_scene():
    scene = catena.Scene.parse(DRAWN)
    sim = scene.start()
    for frame in range(6):
        np.testing.assert_array_equal(sim.draw().pixels, scene.draw(frame).pixels)
        sim.advance()
    # Changes are visible, in the same view.
    before = sim.draw().pixels
    sim.bodies["a"].pin(-1, place=(0.5, 0.3))
    changed = (sim.draw().pixels != before).any(axis=2)
    assert changed[:, :160].any() and not changed[:, 170:].any()
    assert sim.draw(size=(160, 120)).size == (160, 120)
    with pytest.raises(ValueError, match="size"):
        sim.draw(size=(1, 1))


def test_one_body_of_a_scene_is_drawn_alone_and_after_divergence():
    explodes = DRAWN.replace("SemiImplicitEuler", "ExplicitEuler")
    scene = catena.Scene.parse(explodes, {"substeps": 2})
    sim = scene.start("a")
    sim.advance(200)
    assert sim.outcome == "diverged"
    assert sim.draw().size == (320, 240)
