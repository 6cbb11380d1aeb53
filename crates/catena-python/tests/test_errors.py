"""Errors: exception types and messages."""

import pickle

import catena
import pytest

WRONG = "Scene(\n  base: (rope: (nodes: -1)),\n)"


def test_a_scene_error_knows_the_place():
    with pytest.raises(catena.SceneError) as caught:
        catena.Scene.parse(WRONG, file="mine.ron")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.file, error.line, error.column) == ("mine.ron", 2, 24)
    assert error.path == "base.rope.nodes"
    assert error.help == "`catena fields rope.nodes` explains this field"
    message = str(error)
    assert message.startswith("mine.ron:2:24: expected a whole number")
    assert "base: (rope: (nodes: -1))" in message and error.help in message
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.path) == (message, 2, error.path)


def test_a_change_that_is_wrong_is_named():
    with pytest.raises(catena.SceneError) as caught:
        catena.Scene.parse("Scene()", {"rope.nods": 3})
    assert caught.value.file == "set rope.nods=3" and caught.value.line is None
    assert "rope.nodes" in caught.value.help and "--set" not in str(caught.value)
    with pytest.raises(catena.SceneError, match="expected PATH=VALUE"):
        catena.Scene.parse("Scene()", "rope.nodes")
    for set in ({"rope.nodes": object()}, {"rope.nodes": None}, {3: 4}, 5):
        with pytest.raises(TypeError):
            catena.Scene.parse("Scene()", set)


def test_a_file_that_cannot_be_read(scenes, tmp_path):
    with pytest.raises(FileNotFoundError, match="did you mean") as caught:
        catena.Scene.read(scenes / "comapre.ron")
    assert caught.value.filename == str(scenes / "comapre.ron") and "compare.ron" in str(caught.value)
    with pytest.raises(catena.SceneError, match="this is a folder"):
        catena.Scene.read(tmp_path)
    (tmp_path / "binary.ron").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(catena.SceneError, match="UTF-8"):
        catena.Scene.read(tmp_path / "binary.ron")


def test_numbers_out_of_range_name_their_argument():
    scene = catena.Scene.parse("Scene()")
    for call, message in [
        (lambda: scene.simulate(-1), "frames: -1 is not from 1 to"),
        (lambda: scene.simulate(0), "frames: 0 is not from 1 to"),
        (lambda: scene.simulate(2, threads=0), "threads: 0 is not from 1 to 1024"),
        (lambda: scene.simulate(2, minutes=0.0), "minutes: 0 is not a finite number above 0"),
        (lambda: scene.simulate(2, minutes=float("nan")), "minutes: NaN"),
        (lambda: scene.render("out", range(0, 10, 2)), "the range has a step of 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="a whole number or a range"):
        scene.render("out", "ten")


def test_limits_speak_of_arguments():
    scene = catena.Scene.parse("Scene(base: (rope: (nodes: 400, pins: [0]), substeps: 4096))")
    with pytest.raises(catena.SceneError) as caught:
        scene.simulate(900_000)
    message = str(caught.value)
    assert "minutes=" in message and "unlimited=True" in message and "--" not in message
    # Work that is only known during the run gives another error.
    open_ended = scene.with_set({"integrator": "DormandPrince(tolerance: 1e-14)", "rope.stiffness": 1e6})
    with pytest.raises((RuntimeError, catena.SceneError)):
        open_ended.simulate(2000, minutes=0.0005)


def test_a_file_in_the_way_stays(scenes, tmp_path):
    scene = catena.Scene.read(scenes / "compare.ron")
    (tmp_path / "frame_00000.png").write_bytes(b"mine")
    with pytest.raises(OSError, match="frame_00000.png"):
        scene.render(tmp_path, 2, size=(320, 180), steady=False)
    assert (tmp_path / "frame_00000.png").read_bytes() == b"mine"
