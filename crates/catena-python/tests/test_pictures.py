"""Pictures: arrays with the same pixels as the program writes."""

import io

import catena
import matplotlib.image
import numpy as np
import pytest


def pixels(png):
    """Pixels of a PNG file, read by another decoder than catena's."""
    read = matplotlib.image.imread(png, format="png")
    return np.round(read[:, :, :3] * 255).astype(np.uint8)


def test_frames_have_the_pixels_of_a_render(scenes, program, tmp_path):
    path, size = scenes / "one_explodes.ron", (640, 360)
    args = ["--frames", 12, "--size", "640x360", "--out", tmp_path / "cli", "--quiet"]
    program("render", path, *args)
    scene = catena.Scene.read(path)
    for frame in (0, 5, 11):
        picture = scene.draw(frame, size=size)
        assert picture.pixels.dtype == np.uint8 and picture.pixels.shape == (360, 640, 3)
        file = tmp_path / "cli" / f"frame_{frame:05}.png"
        np.testing.assert_array_equal(picture.pixels, pixels(file))
    steady = scene.steady(frames=12, size=size)
    np.testing.assert_array_equal(steady.pixels, pixels(tmp_path / "cli" / "steady.png"))
    assert steady.png() == (tmp_path / "cli" / "steady.png").read_bytes()


def test_a_render_writes_the_files_of_the_program(scenes, program, tmp_path):
    path = scenes / "compare.ron"
    program("render", path, "--frames", 4, "--size", "320x180", "--out", tmp_path / "cli", "--quiet")
    scene = catena.Scene.read(path)
    # Renders a part first; the second call continues after it.
    first = scene.render(tmp_path / "python", range(0, 2), size=(320, 180), steady=False)
    assert (first.frames, first.steady) == (2, None)
    rendered = scene.render(tmp_path / "python", 4, size=(320, 180))
    assert (rendered.frames, rendered.folder) == (4, tmp_path / "python")
    assert rendered.steady == tmp_path / "python" / "steady.png"
    assert rendered.diverged == [("Semi-implicit Euler", None), ("Constraint Verlet", None)]
    names = {it.name for it in (tmp_path / "cli").iterdir() if it.is_file()}
    assert len(names) == 6
    for name in names:
        expected = (tmp_path / "cli" / name).read_bytes()
        assert (tmp_path / "python" / name).read_bytes() == expected, name


def test_notebooks_show_scenes_and_pictures(scenes):
    scene = catena.Scene.read(scenes / "compare.ron")
    first = scene.draw(0)
    assert scene._repr_png_() == first._repr_png_() == first.png()
    np.testing.assert_array_equal(pixels(io.BytesIO(first.png())), first.pixels)
    assert repr(first) == "<catena.Picture 1280x720>"


def test_a_picture_is_an_array(scenes, tmp_path):
    picture = catena.Scene.read(scenes / "compare.ron").draw(1, size=(320, 180))
    array = np.asarray(picture)
    assert array is picture.pixels
    assert np.array(picture) is not array
    assert np.asarray(picture, dtype=float).dtype == np.float64
    with pytest.raises(ValueError, match="copy"):
        np.asarray(picture, dtype=float, copy=False)
    # Drawing on the array changes the picture.
    array[:10, :20] = (255, 0, 0)
    picture.save(tmp_path / "red.png")
    assert (pixels(tmp_path / "red.png")[:10, :20] == (255, 0, 0)).all()
    assert [it.name for it in tmp_path.iterdir()] == ["red.png"]


def test_a_picture_that_cannot_be_drawn(scenes, tmp_path):
    scene = catena.Scene.read(scenes / "compare.ron")
    with pytest.raises(ValueError, match="each side of 20x20 must be"):
        scene.draw(0, size=(20, 20))
    with pytest.raises(ValueError, match="frame: -1 is not from 0"):
        scene.draw(-1)
    with pytest.raises(FileNotFoundError):
        scene.draw(0, font=tmp_path / "none.ttf")
    with pytest.raises(FileNotFoundError):
        scene.draw(0, size=(320, 180)).save(tmp_path / "none" / "picture.png")
