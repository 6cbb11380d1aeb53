"""Processor time of one frame of 1280x720, drawn by catena and by other programs.

The time of a frame is that of several frames less that of one, so starts and imports do not count. catena's time includes its
simulation and the PNG file. There is no error: the pictures show the same things, but shading differs between programs.
"""

import pathlib
import tempfile

from .peer import Missing, environment, last_line
from .process import timed

HERE = pathlib.Path(__file__).resolve().parent
CLOTH = HERE.parents[2] / "scenes/cloth_sphere.ron"
COMPARE = HERE.parents[2] / "scenes/compare.ron"
# Settings of both programs, for the table.
CATENA = "render, 1 thread"
SOFTWARE = "software renderer of Mesa"


def spent(command, folder):
    """Processor time of a process with its children."""
    time, code, output = timed(command, folder, environment())
    if code:
        raise Missing(f"{command[0]} ended with {code}: {last_line(output)}")
    return time


def each(command, frames, folder):
    """Processor time per frame. command(frames) returns the words of a command."""
    return (spent(command(frames), folder) - spent(command(1), folder)) / (frames - 1)


def single_panel(folder):
    """The second panel of the scene with the cloth, without the pattern, which other programs do not draw."""
    text = CLOTH.read_text().replace(", pattern: Checks", "")
    lines = text.splitlines(keepends=True)
    start = next(index for index, line in enumerate(lines) if "friction 0.05\"" in line)
    scene = folder / "one_cloth.ron"
    scene.write_text("".join(lines[:start] + lines[start + 2:]))
    return scene


def both_panels(folder):
    scene = folder / "two_cloths.ron"
    scene.write_text(CLOTH.read_text().replace(", pattern: Checks", ""))
    return scene


def fresh(folder):
    """A folder that does not exist yet: catena keeps the frames of an earlier render of the same scene."""
    return pathlib.Path(tempfile.mkdtemp(dir=folder)) / "frames"


def own(program, scene, folder):
    """The command of `catena render` for a number of frames."""
    return lambda frames: [program, "render", scene, "--frames", frames, "--threads", 1, "--no-steady", "-q",
                           "--size", "1280x720", "--out", fresh(folder)]


def matplotlib(python, folder):
    script = HERE.parent / "matplotlib_savefig.py"
    return lambda frames: [python, script, "--frames", frames, "--out", fresh(folder)]


def vtk(python, folder):
    return lambda frames: [python, HERE.parent / "vtk_cloth.py", frames]


def blender(python, engine, export, folder):
    return lambda frames: [python, HERE / "blender_frames.py", export, engine, frames, folder]
