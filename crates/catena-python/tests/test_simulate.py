"""Simulations: shapes, types and bits of their arrays."""

import csv
import gc
import io
import json

import catena
import numpy as np
import pytest


def test_arrays_have_frames_first(scenes):
    runs = catena.Scene.read(scenes / "compare.ron").simulate(frames=12)
    assert len(runs) == 2 and runs.labels == [run.label for run in runs]
    for run in runs:
        assert run.positions.shape == run.velocities.shape == (12, 16, 2)
        assert run.times.tolist() == [float(frame) for frame in range(12)]
        for array in [run.positions, run.velocities, run.times, *run.energies.values()]:
            assert array.dtype == np.float64
            assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
        assert (run.outcome, run.diverged, run.unconverged) == ("fine", None, 0)
        assert list(run.energies) == ["kinetic", "gravitational", "elastic", "total"]
    assert [run.panel for run in runs] == [0, 1]
    assert [run.method for run in runs] == ["SemiImplicitEuler", "ConstraintVerlet"]


def test_runs_have_numbers_and_labels(scenes):
    runs = catena.Scene.read(scenes / "compare.ron").simulate(frames=2)
    assert runs["Constraint Verlet"] is runs[1] is runs[-1] is list(runs)[1]
    assert runs[-2] is runs[0]
    for key in (2, -3):
        with pytest.raises(IndexError, match="there are 2"):
            runs[key]
    with pytest.raises(KeyError, match="Constraint Verlet"):
        runs["Verlet"]
    with pytest.raises(TypeError):
        runs[1.5]


def test_an_array_is_the_same_object_and_outlives_its_run(scenes):
    run = catena.Scene.read(scenes / "compare.ron").simulate(frames=3)[0]
    assert run.positions is run.positions and run.energies["total"] is run.energies["total"]
    positions = run.positions
    kept = positions.copy()
    # The array owns its numbers: it is not a view of memory that is freed with the run.
    del run
    gc.collect()
    np.testing.assert_array_equal(positions, kept)
    positions += 1
    np.testing.assert_array_equal(positions, kept + 1)


def table(program, *args):
    rows = list(csv.DictReader(io.StringIO(program("trace", *args))))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


@pytest.mark.parametrize("name", ["compare.ron", "bounce.ron", "coil_in_space.ron"])
def test_positions_are_those_of_the_trace(scenes, program, name):
    frames = 7
    runs = catena.Scene.read(scenes / name).simulate(frames)
    rows = table(program, scenes / name, "--frames", frames)
    body = {}
    for number, run in enumerate(runs):
        place = (run.panel, sum(1 for other in list(runs)[:number] if other.panel == run.panel))
        body[place] = run
    for (panel, at), run in body.items():
        mine = (rows["panel"] == panel) & (rows["body"] == at)
        axes = "xyz"[: run.positions.shape[2]]
        for axis, letter in enumerate(axes):
            np.testing.assert_array_equal(rows[letter][mine], run.positions[:, :, axis].ravel())
            np.testing.assert_array_equal(rows[f"v{letter}"][mine], run.velocities[:, :, axis].ravel())
        np.testing.assert_array_equal(rows["time"][mine], np.repeat(run.times, run.positions.shape[1]))


def test_the_ledger_is_that_of_the_trace(scenes, program):
    path = scenes / "compare.ron"
    scene = catena.Scene.read(path)
    plain, kept = scene.simulate(9), scene.simulate(9, ledger=True)
    rows = table(program, path, "--energy", "--frames", 9)
    gains = set(rows) - {"frame", "time", "panel", "body"}
    for panel, run in enumerate(kept):
        assert set(run.energies) == gains | {"total"}
        for name in gains:
            np.testing.assert_array_equal(rows[name][rows["panel"] == panel], run.energies[name])
        # Neither the motion nor its energies depend on whether a ledger is kept.
        np.testing.assert_array_equal(run.positions, plain[panel].positions)
        for name, values in plain[panel].energies.items():
            np.testing.assert_array_equal(values, run.energies[name])


@pytest.mark.parametrize("method", ["SemiImplicitEuler", "Xpbd(iterations: 4)", "Pbd", "Shake"])
def test_energies_of_every_kind_of_method(scenes, method):
    scene = catena.Scene.read(scenes / "compare.ron", {"integrator": method})
    plain, kept = scene.simulate(5)[0], scene.simulate(5, ledger=True)[0]
    for name in ("kinetic", "gravitational", "elastic"):
        np.testing.assert_array_equal(plain.energies[name], kept.energies[name])
    total = sum(plain.energies[name] for name in ("kinetic", "gravitational", "elastic"))
    np.testing.assert_allclose(plain.energies["total"], total, rtol=1e-15)
    masses = scene.panels[0].bodies[0].masses
    speeds = (plain.velocities**2).sum(axis=2)
    np.testing.assert_allclose(plain.energies["kinetic"], 0.5 * speeds @ masses, rtol=1e-12)


def test_threads_change_no_bit(scenes):
    scene = catena.Scene.read(scenes / "eight_methods.ron")
    one, many = scene.simulate(4, threads=1), scene.simulate(4, threads=7)
    for a, b in zip(one, many):
        np.testing.assert_array_equal(a.positions, b.positions)


def test_a_divergence_is_a_result(scenes):
    run = catena.Scene.read(scenes / "explicit_64.ron").simulate(200)[0]
    assert run.outcome == "diverged"
    frame, step = run.diverged
    assert 0 < frame < 200 and (frame - 1) * 64 < step <= frame * 64
    assert not np.isfinite(run.positions[-1]).all()
    assert np.isfinite(run.positions[: frame - 1]).all()
    assert f"diverged at frame {frame}" in repr(run)


def test_frames_of_the_scene_are_the_default():
    scene = catena.Scene.parse("Scene(base: (frames: 5, rope: (nodes: 3, pins: [0])))")
    assert scene.simulate()[0].positions.shape[0] == scene.frames == 5


def test_steps_that_are_predicted_are_those_of_the_program(program, tmp_path):
    path = tmp_path / "short.ron"
    path.write_text(
        "Scene(base: (rope: (nodes: 3, pins: [0])), panels: ["
        "(with: (integrator: ExplicitEuler)), (with: (integrator: SemiImplicitEuler)),"
        "(with: (integrator: ImplicitEuler))])"
    )
    found = catena.Scene.read(path).stability(20)
    rows = list(csv.DictReader(io.StringIO(program("stability", path, "--csv", "--frames", 20))))
    assert [it.label for it in found] == [row["label"] for row in rows]
    number = lambda text: float(text) if text else None
    for it, row in zip(found, rows):
        assert it.method == row["method"] and it.dt == float(row["dt"])
        assert it.omega == number(row["omega"]) and it.reach == (row["reach"] or None)
        assert it.measured == number(row["survived_dt"]) and it.lost == number(row["lost_dt"])
        predicted = number(row["predicted_dt"])
        assert it.predicted == (0.0 if predicted is None and it.reach else predicted)
        assert str(it.film_survives).lower() == (row["film_survives"] or "none")
        assert it.one_spring == float(row["one_spring"])
    explicit = next(it for it in found if it.method == "ExplicitEuler")
    assert explicit.predicted == 0.0


def test_statics_are_those_of_the_program(tmp_path, program):
    path = tmp_path / "hanging.ron"
    path.write_text(
        "Scene(base: (gravity: (0, -10), rope: (start: (0, 0), end: (1, 0), nodes: 6, mass: 0.1,"
        " stiffness: 400, pins: [First])))"
    )
    found = catena.statics(catena.Scene.read(path))
    assert found == json.loads(program("statics", path, "--json"))
    body = found["bodies"][0]
    assert body["rest"] and body["stability"] == "stable" and body["residual"] < 1e-12
    assert len(body["positions"]) == 6 and len(body["modes"]) == 4 and body["iterations"] > 0
    assert body["pins"][0]["force"][1] == pytest.approx(-6.0, abs=1e-9)
    free = catena.Scene.parse("Scene(base: (gravity: (0, -10), rope: (pins: [])))")
    body = catena.statics(free)["bodies"][0]
    assert not body["rest"] and "fall forever" in body["reason"] and "pin" in body["help"]
