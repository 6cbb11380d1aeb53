"""Scenes: reading, changing, inspecting, and sending to other processes."""

import copy
import os
import pathlib
import pickle
import shutil

import catena
import numpy as np
import pytest

TEXT = """Scene(
    base: (frames: 5, rope: (nodes: 4, pins: [0])),
    panels: [
        (label: "A", with: (integrator: SemiImplicitEuler)),
        (label: "B", with: (integrator: Xpbd(iterations: 20), substeps: 4)),
    ],
)"""


def test_a_scene_says_what_it_is(scenes):
    scene = catena.Scene.read(scenes / "compare.ron")
    assert (scene.name, scene.title) == ("compare", "Semi-implicit Euler and Verlet on one rope")
    assert scene.file == str(scenes / "compare.ron")
    assert scene.text == (scenes / "compare.ron").read_text()
    assert (scene.size, scene.axes, scene.frame_time) == ((1280, 720), 2, 1.0)
    assert scene.labels == ["Semi-implicit Euler", "Constraint Verlet"]
    assert [panel.label for panel in scene.panels] == scene.labels
    assert repr(scene) == '<catena.Scene "compare": "Semi-implicit Euler", "Constraint Verlet">'
    assert catena.Scene.read(str(scenes / "compare.ron")).name == "compare"


def test_a_body_says_what_it_is_made_of():
    [a], [b] = (panel.bodies for panel in catena.Scene.parse(TEXT).panels)
    assert (a.label, a.method, a.nodes, a.axes) == ("A", "SemiImplicitEuler", 4, 2)
    assert (b.method, b.substeps, b.dt, b.frame_time) == ("Xpbd", 4, 0.25, 1.0)
    assert a.positions.shape == (4, 2) and a.positions.dtype == np.float64
    assert a.masses.shape == (4,) and a.stiffnesses.shape == a.rest_lengths.shape == (3,)
    assert a.springs.tolist() == [[0, 1], [1, 2], [2, 3]] and a.springs.dtype == np.int64
    assert a.pinned.tolist() == [True, False, False, False] and a.pinned.dtype == np.bool_
    spans = np.linalg.norm(np.diff(a.positions, axis=0), axis=1)
    np.testing.assert_allclose(spans, a.rest_lengths)
    # Arrays are copies.
    a.masses[:] = 7
    assert a.masses[0] != 7


@pytest.mark.parametrize(
    "set",
    [
        {"rope.nodes": 8, "gravity": (0, -2.5), "integrator": "Xpbd(iterations: 7)"},
        {"rope.nodes": np.int64(8), "gravity": (np.float64(0), -2.5), "integrator": "Xpbd(iterations: 7)"},
        {"rope.nodes": np.array(8), "gravity": "(0, -2.5)", "integrator": "Xpbd(iterations: 7)"},
        ["rope.nodes=8", "gravity=(0, -2.5)", "integrator=Xpbd(iterations: 7)"],
        ("rope.nodes=8", "gravity=(0,-2.5)", "integrator=Xpbd(iterations: 7)"),
    ],
)
def test_changes_of_all_kinds_are_the_same(set):
    scene = catena.Scene.parse(TEXT, set=set)
    [body] = scene.panels[0].bodies
    assert (body.nodes, body.method) == (8, "Xpbd")
    assert len(scene.changes) == 3
    typed = catena.Scene.parse(TEXT, ["rope.nodes=8", "gravity=(0, -2.5)", "integrator=Xpbd(iterations: 7)"])
    np.testing.assert_array_equal(scene.simulate()[0].positions, typed.simulate()[0].positions)


def test_values_become_text_of_the_scene():
    scene = catena.Scene.parse(
        TEXT, {"rope": {"nodes": 5, "pins": [0, 4]}, "style.color": '"red"', "style.mark_pins": False}
    )
    assert scene.panels[0].bodies[0].pinned.tolist() == [True, False, False, False, True]
    assert scene.changes[2] == "style.mark_pins=false"
    assert catena.Scene.parse(TEXT, "rope.nodes=6").panels[0].bodies[0].nodes == 6
    # Numbers keep all their bits.
    assert catena.Scene.parse(TEXT, {"drag": 0.1 + 0.2}).changes == ["drag=0.30000000000000004"]


def test_with_set_makes_another_scene():
    scene = catena.Scene.parse(TEXT, {"rope.nodes": 8})
    other = scene.with_set({"rope.nodes": 9})
    assert scene.panels[0].bodies[0].nodes == 8
    assert other.panels[0].bodies[0].nodes == 9
    assert other.changes == ["rope.nodes=8", "rope.nodes=9"]


def test_scenes_can_be_pickled_and_copied(scenes):
    scene = catena.Scene.read(scenes / "compare.ron", {"rope.nodes": 5})
    for same in (pickle.loads(pickle.dumps(scene)), copy.deepcopy(scene)):
        assert (same.file, same.name, same.changes) == (scene.file, scene.name, scene.changes)
        expected = scene.simulate(20)[1].positions
        np.testing.assert_array_equal(same.simulate(20)[1].positions, expected)


def test_files_of_a_scene_lie_beside_it(tmp_path, scenes):
    shutil.copy(scenes / "tablecloth.obj", tmp_path)
    text = (scenes / "tablecloth.ron").read_text()
    scene = catena.Scene.parse(text, file=os.fspath(tmp_path / "mine.ron"))
    assert (scene.name, scene.axes) == ("mine", 3)
    read = catena.Scene.read(pathlib.Path(scenes / "tablecloth.ron"))
    assert scene.panels[0].bodies[0].nodes == read.panels[0].bodies[0].nodes


def test_files_elsewhere_are_allowed_first(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "a.csv").write_text("0,0\n1,1\n")
    text = '(base: (frames: 2, rope: (nodes: 3, shape: File(file: "../a.csv"))))'
    path = tmp_path / "own" / "scene.ron"
    path.write_text(text)
    with pytest.raises(catena.SceneError, match="outside the folder"):
        catena.Scene.read(path)
    with pytest.raises(catena.SceneError, match="outside the folder"):
        catena.Scene.read(path, allow_path=[path.parent])
    with pytest.raises(TypeError, match="allow_path"):
        catena.Scene.read(path, allow_path=3)
    for missing in ("nowhere", [tmp_path, tmp_path / "nowhere"], tmp_path / "a.csv"):
        with pytest.raises(ValueError, match="allow_path: there is no folder"):
            catena.Scene.read(path, allow_path=missing)
    for allowed in ({"allow_path": tmp_path}, {"allow_path": [tmp_path]}, {"allow_any_path": True}):
        scene = catena.Scene.read(path, **allowed)
        for same in (scene, scene.with_set({"substeps": 2}), pickle.loads(pickle.dumps(scene))):
            assert same.panels[0].bodies[0].nodes == 3
        assert len(catena.sweep(path, {"substeps": [1, 2]}, frames=2, **allowed)) == 2
        assert len(catena.sweep(scene, {"substeps": [1, 2]}, frames=2)) == 2
        parsed = catena.Scene.parse(text, file=os.fspath(path), **allowed)
        assert parsed.panels[0].bodies[0].nodes == 3


def test_cautions_say_what_a_render_would(scenes, program):
    scene = catena.Scene.read(scenes / "explicit_64.ron")
    said = scene.cautions()
    assert any("ExplicitEuler" in it or "every step size" in it for it in said), said
    assert all(it.startswith(("note: ", "warning: ")) for it in said)


def test_methods_are_those_of_the_program(program):
    methods = catena.methods()
    # Summaries are wrapped to the width of the terminal.
    text = " ".join(program("methods").split())
    names = {method.name for method in methods}
    assert {"SemiImplicitEuler", "ConstraintVerlet", "Xpbd", "Rk4"} <= names and len(names) == len(methods)
    for method in methods:
        order = f"; order {method.order}" if method.order else ""
        assert f"{method.name} {method.summary}{order}" in text
        for option in method.options:
            assert f"{option.name}: {option.summary} ({option.range}; " in text
    xpbd = next(it for it in methods if it.name == "Xpbd")
    assert next(it for it in methods if it.name == "Shake").holds_lengths
    assert [o.default for o in xpbd.options if o.name == "iterations"] == ["10"]
