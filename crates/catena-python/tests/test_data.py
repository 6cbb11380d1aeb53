"""Numbers of other programs: fits, identification, comparison, and distances from a reference."""

from pathlib import Path

import catena
import numpy as np
import pytest

TEXT = """Scene(base: (frames: 40, frame_time: 0.05, substeps: 4, gravity: (0, -9.81),
    integrator: Rk4, rope: (start: (0, 0), end: (1, -0.2), nodes: 2, stiffness: 200), drag: 0.1))"""


def numbers(scene: catena.Scene, turn: float = 1.0) -> bytes:
    """All positions of a scene as CSV, with y multiplied by a factor."""
    places = scene.simulate()[0].positions
    rows = [
        f"{frame},{node},{x!r},{turn * y!r}"
        for frame, nodes in enumerate(places.tolist())
        for node, (x, y) in enumerate(nodes)
    ]
    return "\n".join(["frame,node,x,y", *rows]).encode()


def test_a_fit_finds_the_drag():
    scene = catena.Scene.parse(TEXT)
    found = catena.fit(scene, "drag", numbers(scene.with_set({"drag": 0.3})))
    (drag,) = found["parameters"]
    assert drag["field"] == "drag" and abs(drag["estimate"] - 0.3) < 1e-9
    assert found["converged"] and found["set"][0].startswith("--set drag=0.3")
    several = catena.fit(scene, ["drag=0.2", "gravity=(0, {-9})"], numbers(scene), panel=0)
    assert [round(it["estimate"], 6) for it in several["parameters"]] == [0.1, -9.81]
    with pytest.raises(ValueError, match="no field `drga`"):
        catena.fit(scene, "drga", numbers(scene))
    with pytest.raises(ValueError, match="no data"):
        catena.fit(scene, "drag")
    with pytest.raises(FileNotFoundError):
        catena.fit(scene, "drag", "nowhere.csv")


def test_a_method_is_identified():
    scene = catena.Scene.parse(TEXT)
    data = numbers(scene.with_set({"integrator": "Heun"}))
    found = catena.identify(scene, data, only=True)
    assert found["outcome"] == "identified" and found["matches"][0]["method"] == "Heun"
    with pytest.raises(ValueError, match="y:"):
        catena.identify(scene, data, y="left")  # type: ignore[arg-type]


def test_files_are_compared(tmp_path: Path):
    scene = catena.Scene.parse(TEXT)
    mine = tmp_path / "mine.csv"
    mine.write_bytes(numbers(scene, -1.0))
    found = catena.diff(numbers(scene), mine)
    assert not found["passes"] and "--y down" in found["hint"]
    assert catena.diff(numbers(scene), mine, y="down")["passes"]


def test_distances_from_a_reference(tmp_path: Path):
    plain = catena.Scene.parse(TEXT)
    assert plain.simulate()[0].distances is None
    (tmp_path / "mine.csv").write_bytes(numbers(plain))
    (tmp_path / "scene.ron").write_text(TEXT)
    scene = catena.Scene.read(
        tmp_path / "scene.ron", set={"reference": '(file: "mine.csv")', "drag": 0.2}
    )
    distances = scene.simulate()[0].distances
    assert distances is not None and distances.shape == (40, 2)
    apart = np.linalg.norm(scene.simulate()[0].positions - plain.simulate()[0].positions, axis=2)
    np.testing.assert_allclose(distances, apart, atol=1e-12)
