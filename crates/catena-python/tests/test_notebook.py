"""Notebook output, scenes from dicts, and progress."""

import base64
import re

import catena
import pytest

FIELDS = {
    "base": {
        "size": (160, 120),
        "frames": 6,
        "rope": {"start": (0, 0), "end": (1, 0), "nodes": 5, "pins": ["First"]},
        "integrator": "Xpbd(iterations: 4)",
    },
    "panels": [{"label": '"A"'}, {"label": '"B"', "with": {"substeps": 32}}],
}


def test_a_scene_of_a_dict():
    scene = catena.Scene.from_dict(FIELDS)
    assert scene.labels == ["A", "B"] and scene.frames == 6
    assert [body.method for panel in scene.panels for body in panel.bodies] == ["Xpbd", "Xpbd"]
    assert scene.panels[1].bodies[0].substeps == 32
    assert catena.Scene.parse(scene.text).labels == scene.labels
    with pytest.raises(catena.SceneError, match="nods"):
        catena.Scene.from_dict({"base": {"rope": {"nods": 5}}}, file="mine")
    with pytest.raises(TypeError):
        catena.Scene.from_dict({"base": {"frames": object()}})


def test_an_animation_is_a_page_of_its_own(tmp_path):
    scene = catena.Scene.from_dict(FIELDS)
    film = scene.animate(5, every=2)
    assert len(film) == 3 and film.size == (160, 120)
    page = film.html()
    frames = re.findall(r'^"([A-Za-z0-9+/=]+)"', page, re.MULTILINE)
    assert len(frames) == 3

    assert base64.b64decode(frames[1]) == scene.draw(2).png()
    # The page loads no resources.
    assert not re.search(r"(https?:)?//", re.sub(r'"[A-Za-z0-9+/=]+"', "", page))
    assert film._repr_html_().startswith("<iframe sandbox=") and "<script>" not in film._repr_html_()
    film.save(tmp_path / "film.html")
    assert (tmp_path / "film.html").read_text() == page
    with pytest.raises(ValueError, match="every"):
        scene.animate(5, every=0)


def test_progress_counts_frames(tmp_path, capsys):
    scene = catena.Scene.from_dict(FIELDS)
    for work in (
        lambda progress: scene.simulate(6, progress=progress),
        lambda progress: scene.animate(6, progress=progress),
        lambda progress: scene.render(tmp_path / "out", 6, steady=False, progress=progress),
    ):
        seen = []
        work(lambda done, of: seen.append((done, of)))
        assert seen[-1] == (6, 6) and seen == sorted(seen)
    rows = []
    catena.sweep(scene, {"substeps": [1, 2, 3]}, frames=2, progress=lambda *it: rows.append(it))
    assert rows and rows[-1][0] == rows[-1][1]
    scene.simulate(6, progress=True)
    assert "6/6" in capsys.readouterr().err

    def stop(done, of):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        scene.simulate(6, progress=stop)
    with pytest.raises(TypeError, match="progress"):
        scene.simulate(6, progress=3)
