"""Deterministic simulation of ropes and cloth.

Scene.read, Scene.parse and Scene.from_dict read a scene. Scenes can be simulated to NumPy arrays,
stepped, drawn as pictures for notebooks, and searched for stable steps. Batch steps many runs at
once, and sweep measures many variants of one scene. The same scene gives bit-identical results on
every machine.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
__all__ = [
    "Animation",
    "Batch",
    "Body",
    "Error",
    "InternalError",
    "Method",
    "MethodOption",
    "Panel",
    "Picture",
    "Rendered",
    "Run",
    "Runs",
    "Scene",
    "SceneError",
    "Simulation",
    "SimulationBodies",
    "SimulationBody",
    "Stability",
    "State",
    "Table",
    "__version__",
    "diff",
    "fit",
    "identify",
    "methods",
    "statics",
    "sweep",
]

_Path: TypeAlias = str | PathLike[str]
# A value of a scene; text uses the syntax of scenes, such as "Xpbd(iterations: 20)".
_Value: TypeAlias = Any
# {"rope.nodes": 8}, "rope.nodes=8" or ["rope.nodes=8", "substeps=128"]
_Set: TypeAlias = dict[str, _Value] | str | Sequence[str]
# {"rope.stiffness": [1, 10]}, {"rope.stiffness": "Log(1, 10, 2)"} or ["rope.stiffness=[1, 10]"]
_Axes: TypeAlias = dict[str, str | Iterable[_Value]] | str | Sequence[str]
# True shows a tqdm bar; a function is called with the number of finished frames and the total.
_Progress: TypeAlias = bool | Callable[[int, int], object] | None

class Error(Exception):
    """Base class of the exceptions of catena."""

class InternalError(Error):
    """Internal error: a bug of catena. Please report it with a scene that reproduces it."""

class SceneError(Error, ValueError):
    """Error in a scene or sweep. Its text is the whole message: the position, the line, and
    advice."""

    file: str | None
    """Name of the text in messages, or the invalid option. None if unknown."""
    line: int | None
    """Line, counted from 1; None if the error has no position in a file."""
    column: int | None
    """Column in characters, counted from 1."""
    path: str | None
    """Path of the field, such as base.rope.nodes."""
    help: str | None
    """Advice."""

@final
class Scene:
    """A scene that is ready to run. Scenes are immutable; with_set returns a changed copy."""

    @staticmethod
    def read(
        path: _Path,
        set: _Set | None = None,
        *,
        unlimited: bool = False,
        allow_path: _Path | Sequence[_Path] | None = None,
        allow_any_path: bool = False,
    ) -> Scene:
        """Reads a scene file. set changes fields and overrides all layers of the scene: a dict such
        as {"rope.nodes": 8}, or texts such as ["rope.nodes=8"]. Text in a dict uses the syntax of
        scenes: {"integrator": "Xpbd(iterations: 20)"}.

        The scene may name files in and below its own folder. allow_path adds a folder or a list of
        folders, and allow_any_path allows all files.

        Raises SceneError if the scene cannot be used, and OSError if the file cannot be read.
        """

    @staticmethod
    def parse(
        text: str,
        set: _Set | None = None,
        file: str = "scene",
        unlimited: bool = False,
        allow_path: _Path | Sequence[_Path] | None = None,
        allow_any_path: bool = False,
    ) -> Scene:
        """Reads the text of a scene. file is its name in messages; relative paths in the scene are
        relative to the folder of file. allow_path and allow_any_path are as in read."""

    @staticmethod
    def from_dict(
        fields: dict[str, _Value],
        set: _Set | None = None,
        file: str = "scene",
        unlimited: bool = False,
        allow_path: _Path | Sequence[_Path] | None = None,
        allow_any_path: bool = False,
    ) -> Scene:
        """Reads a scene from a dict of its fields: {"base": {"rope": {"nodes": 8}}}. Values are as
        in set: text uses the syntax of scenes, so that a title is '"Ropes"'. The other arguments
        are as in parse."""

    def with_set(self, set: _Set) -> Scene:
        """Returns a copy of the scene with more changes, which override earlier ones."""

    @property
    def name(self) -> str:
        """Name of the scene: the file name without its extension."""

    @property
    def title(self) -> str | None:
        """Title above the panels; None if there is none."""

    @property
    def text(self) -> str:
        """Text of the scene, without the changes of set."""

    @property
    def file(self) -> str:
        """Name in messages: the path of its file."""

    @property
    def changes(self) -> list[str]:
        """Changes of set, each as PATH=VALUE."""

    @property
    def frames(self) -> int:
        """Number of frames."""

    @property
    def frame_time(self) -> float:
        """Simulated time from one frame to the next."""

    @property
    def axes(self) -> int:
        """Number of components of a position: 2 in the plane, 3 in space."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures in pixels."""

    @property
    def labels(self) -> list[str]:
        """Labels of all bodies, panel by panel, in the order of simulate and stability."""

    @property
    def panels(self) -> list[Panel]:
        """Panels of the scene."""

    def cautions(self) -> list[str]:
        """Warnings and notes to read before the pictures are trusted, one sentence each: panels
        with different physics, steps above the stability limit, letters that no typeface has."""

    def simulate(
        self,
        frames: int | None = None,
        *,
        ledger: bool = False,
        progress: _Progress = None,
        minutes: float | None = None,
        unlimited: bool = False,
        threads: int | None = None,
    ) -> Runs:
        """Simulates the scene and returns the motion of each body as NumPy arrays. The arrays cover
        all frames, the first of which is the initial state.

        frames is the number of frames; None uses the scene's own number. ledger=True adds the
        sources and sinks of energy per frame, and takes several times as long. minutes is the limit
        on the estimated time of one core; unlimited removes all limits. The results do not depend
        on threads. progress=True shows a tqdm bar; a function is called with the number of finished
        frames and the total number.

        Other Python threads continue during the simulation, and Ctrl-C ends it.
        """

    def start(
        self, body: int | str | None = None, *, minutes: float | None = None, unlimited: bool = False
    ) -> Simulation:
        """Starts a simulation that is stepped from Python. body chooses one body, by index or
        label; None starts all. minutes is the limit on the estimated time of one core for each
        frame, and unlimited removes it."""

    def resume(
        self, data: bytes, *, minutes: float | None = None, unlimited: bool = False
    ) -> Simulation:
        """Continues a simulation of this scene bit-identically from the bytes that save returned.
        Raises ValueError if the bytes are damaged or belong to another scene."""

    def animate(
        self,
        frames: int | range | None = None,
        *,
        every: int = 1,
        size: tuple[int, int] | None = None,
        font: _Path | None = None,
        progress: _Progress = None,
        minutes: float | None = None,
        unlimited: bool = False,
        threads: int | None = None,
    ) -> Animation:
        """Draws frames as an animation for notebooks: a page with a slider that needs no network.
        frames is a number of frames or a range, and every=3 draws every third of them.
        progress=True shows a bar, as in simulate."""

    def draw(
        self,
        frame: int = 0,
        *,
        size: tuple[int, int] | None = None,
        font: _Path | None = None,
        minutes: float | None = None,
        unlimited: bool = False,
        threads: int | None = None,
    ) -> Picture:
        """Draws a frame, with exactly the pixels that catena render writes. All frames up to it are
        simulated first. size is width and height in pixels; font is a file for letters that the
        built-in typeface lacks."""

    def steady(
        self,
        *,
        frames: int | range | None = None,
        steady_time: float | None = None,
        size: tuple[int, int] | None = None,
        font: _Path | None = None,
        minutes: float | None = None,
        unlimited: bool = False,
        threads: int | None = None,
    ) -> Picture | None:
        """Draws the steady-state comparison: bodies are simulated until they are at rest, and their
        shapes are drawn next to the hanging chain. The picture equals the steady.png of a render of
        the same frames. None if the scene has only rigs. steady_time is the maximum time to wait
        for rest, in estimated seconds of one core."""

    def render(
        self,
        folder: _Path,
        frames: int | range | None = None,
        *,
        steady: bool = True,
        steady_time: float | None = None,
        size: tuple[int, int] | None = None,
        font: _Path | None = None,
        progress: _Progress = None,
        minutes: float | None = None,
        unlimited: bool = False,
        threads: int | None = None,
    ) -> Rendered:
        """Renders frames into a folder as PNG files with manifest.json and, unless steady=False,
        steady.png. frames is a number of frames or a range. Existing frames are kept, so an
        interrupted render is resumed. progress=True shows a bar, as in simulate."""

    def stability(
        self,
        frames: int | None = None,
        *,
        study_time: float | None = None,
        minutes: float | None = None,
        unlimited: bool = False,
        threads: int | None = None,
    ) -> list[Stability]:
        """Finds the maximum stable step of each body, predicted from its spectrum and measured by
        runs. frames is the number of frames that a stable run must survive; None uses the scene's
        own number. study_time is the budget of each body in counted seconds of one core; None means
        4."""

    def _repr_png_(self) -> bytes:
        """Returns the first frame, for notebooks."""

    def __reduce__(self) -> tuple[Any, tuple[str, list[str], str, bool]]:
        """Supports copying scenes and sending them to other processes."""

@final
class Panel:
    """A panel of a scene."""

    @property
    def label(self) -> str:
        """Label in pictures."""

    @property
    def bodies(self) -> list[Body]:
        """Bodies of the panel."""

@final
class Body:
    """A body of a scene in its initial state: masses, pins, springs, method and step. Arrays are
    copies."""

    @property
    def label(self) -> str:
        """Label in messages and arrays."""

    @property
    def method(self) -> str:
        """Name of the method, as in the scene."""

    @property
    def nodes(self) -> int:
        """Number of nodes."""

    @property
    def axes(self) -> int:
        """Number of components of a position: 2 or 3."""

    @property
    def frame_time(self) -> float:
        """Simulated time from one frame to the next."""

    @property
    def substeps(self) -> int:
        """Steps per frame."""

    @property
    def dt(self) -> float:
        """Step: frame_time / substeps."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Initial positions: float64 of shape (nodes, axes)."""

    @property
    def masses(self) -> NDArray[np.float64]:
        """Mass of each node: float64 of shape (nodes,)."""

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Whether each node is pinned: bool of shape (nodes,)."""

    @property
    def springs(self) -> NDArray[np.int64]:
        """Indices of the nodes at both ends of each spring: int64 of shape (springs, 2)."""

    @property
    def rest_lengths(self) -> NDArray[np.float64]:
        """Rest length of each spring: float64 of shape (springs,)."""

    @property
    def stiffnesses(self) -> NDArray[np.float64]:
        """Stiffness of each spring, force per length: float64 of shape (springs,)."""

@final
class Run:
    """Motion of a body. The first axis of each array is the frame; frame 0 is the initial state."""

    @property
    def label(self) -> str:
        """Label of the body in messages and pictures."""

    @property
    def panel(self) -> int:
        """Index of the panel that contains the body."""

    @property
    def method(self) -> str:
        """Name of the method, as in the scene."""

    @property
    def times(self) -> NDArray[np.float64]:
        """Simulated time of each frame: float64 of shape (frames,)."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions: float64 of shape (frames, nodes, axes), in the scene's unit of length."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities as the method defines them: float64 of shape (frames, nodes, axes), length
        over time."""

    @property
    def distances(self) -> NDArray[np.float64] | None:
        """Distances from the reference of the scene: float64 of shape (frames, nodes), nan where
        the reference has no data. None if there is no reference."""

    @property
    def energies(self) -> dict[str, NDArray[np.float64]]:
        """Energies with their names, each float64 of shape (frames,): kinetic, gravitational,
        elastic and their sum, total. ledger=True adds the gains since the previous frame from
        anchors, colliders, damping, contact, external, yielding and method. It also adds residual,
        the unexplained change, and turned_over, the scale of rounding errors."""

    @property
    def outcome(self) -> Literal["fine", "diverged"]:
        """Outcome: fine or diverged. After a divergence the arrays hold the raw results, possibly
        inf and nan."""

    @property
    def diverged(self) -> tuple[int, int] | None:
        """Frame and step at which the body diverged, with steps counted from the start. None if it
        did not."""

    @property
    def unconverged(self) -> int:
        """Number of steps that did not converge, up to a divergence."""

@final
class Runs:
    """Motions of all bodies of a scene: a sequence with access by index or label."""

    @property
    def labels(self) -> list[str]:
        """Labels of the bodies, in order."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: int | str, /) -> Run:
        """Returns the run with this index or label. Negative indices count from the end."""

    def __iter__(self) -> Iterator[Run]: ...

@final
class State:
    """State of a body at one time: positions, velocities, and the memory of its method, springs,
    pins and forces. set_state continues from it bit-identically. States can be pickled."""

    @property
    def time(self) -> float:
        """Simulated time."""

    @property
    def steps(self) -> int:
        """Number of steps since the start."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions: float64 of shape (nodes, axes), a copy."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities: float64 of shape (nodes, axes), a copy."""

    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        """Supports copying states and sending them to other processes."""

@final
class Simulation:
    """A running scene, or some of its bodies, step by step.

    bodies has each body, by index or label. A simulation of a single body also has the attributes
    of the body: sim.positions is sim.bodies[0].positions. With several bodies these raise
    ValueError.
    """

    @property
    def bodies(self) -> SimulationBodies:
        """Bodies, by index or label."""

    @property
    def labels(self) -> list[str]:
        """Labels of the bodies, in order."""

    def save(self) -> bytes:
        """Returns the state of the simulation as bytes, from which scene.resume continues
        bit-identically."""

    def draw(
        self, *, size: tuple[int, int] | None = None, font: _Path | None = None
    ) -> Picture:
        """Draws the current state of the bodies, in the view of a render of the scene. At the end
        of a frame of an unchanged run, the pixels equal scene.draw(frame), except for ghosts and
        trails. A simulation of some bodies draws only their panels. size and font are as in
        Scene.draw. For the first picture the frames of the scene are simulated to determine the
        view; later pictures keep this view."""

    @property
    def dt(self) -> float:
        """Step of the single body: see SimulationBody."""

    @property
    def time(self) -> float:
        """Simulated time of the first body. All bodies have the same time unless they were stepped
        separately."""

    @property
    def frame(self) -> int:
        """Index of the frame of the first body."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions of the single body: see SimulationBody."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities of the single body: see SimulationBody."""

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Whether each node of the single body is pinned: see SimulationBody."""

    @property
    def state(self) -> State:
        """State of the single body: see SimulationBody."""

    @property
    def energy(self) -> dict[str, float]:
        """Energies of the single body: see SimulationBody."""

    @property
    def contacts(self) -> dict[str, NDArray[np.float64]]:
        """Forces of contacts on the single body: see SimulationBody."""

    @property
    def outcome(self) -> Literal["fine", "diverged"]:
        """Outcome: fine, or diverged if any body has diverged."""

    def step(self, n: int = 1) -> None:
        """Takes n steps of dt in every body. If bodies have different steps, raises ValueError: use
        advance, or step each body separately."""

    def advance(self, frames: int = 1) -> None:
        """Steps every body to the end of a frame: of the current frame for 1, of the next frame for
        2, and so on."""

    def set_state(
        self,
        state: State | None = None,
        *,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
    ) -> None:
        """Sets the state of the single body: see SimulationBody."""

    def pin(
        self, node: int, place: ArrayLike | None = None, velocity: ArrayLike | None = None
    ) -> None:
        """Pins or moves a node of the single body: see SimulationBody."""

    def release(self, node: int) -> None:
        """Releases a node of the single body: see SimulationBody."""

    def push(self, node: int, force: ArrayLike, duration: float | None = None) -> None:
        """Applies a force to a node of the single body: see SimulationBody."""

    def end_pushes(self) -> None:
        """Ends the forces of push on the single body."""

    def kick(self, node: int, impulse: ArrayLike) -> None:
        """Changes the momentum of a node of the single body: see SimulationBody."""

@final
class SimulationBodies:
    """Bodies of a simulation: a sequence with access by index or label."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: int | str, /) -> SimulationBody: ...
    def __iter__(self) -> Iterator[SimulationBody]: ...

@final
class SimulationBody:
    """A body of a simulation. Changes take effect immediately, and the next step starts from them.
    """

    @property
    def label(self) -> str:
        """Label in messages and arrays."""

    @property
    def method(self) -> str:
        """Name of the method, as in the scene."""

    @property
    def nodes(self) -> int:
        """Number of nodes."""

    @property
    def axes(self) -> int:
        """Number of components of a position: 2 or 3."""

    @property
    def dt(self) -> float:
        """Step: frame_time / substeps."""

    @property
    def time(self) -> float:
        """Simulated time."""

    @property
    def frame(self) -> int:
        """Index of the frame that contains the current state."""

    @property
    def steps(self) -> int:
        """Number of steps since the start."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions: float64 of shape (nodes, axes), a copy."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities: float64 of shape (nodes, axes), a copy."""

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Whether each node is pinned now: bool of shape (nodes,)."""

    @property
    def state(self) -> State:
        """State, including the memory of the method: see set_state."""

    @property
    def energy(self) -> dict[str, float]:
        """Current energies: kinetic, gravitational, elastic, and their sum, total. A rod also has
        bending and twist, which total includes."""

    @property
    def contacts(self) -> dict[str, NDArray[np.float64]]:
        """Mean contact forces over the last step. nodes has the force on each node, of shape
        (nodes, axes). colliders has the force on each collider, of shape (colliders, axes). All are
        0 if there is no contact."""

    @property
    def outcome(self) -> Literal["fine", "diverged"]:
        """Outcome: fine or diverged."""

    @property
    def diverged(self) -> tuple[int, int] | None:
        """Frame and step at which the body diverged; None if it did not. As in a render, divergence
        is checked at the end of each frame."""

    def step(self, n: int = 1) -> None:
        """Takes n steps of dt. The result does not depend on how steps are divided among calls."""

    def advance(self, frames: int = 1) -> None:
        """Steps to the end of a frame: of the current frame for 1, of the next frame for 2, and so
        on."""

    def set_state(
        self,
        state: State | None = None,
        *,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
    ) -> None:
        """Continues bit-identically from a state of this body or of an equal one. Alternatively,
        sets positions, velocities, or both, which are arrays of shape (nodes, axes). The method
        then restarts from these values, and pins are held at their new positions."""

    def pin(
        self, node: int, place: ArrayLike | None = None, velocity: ArrayLike | None = None
    ) -> None:
        """Pins a node, or moves a pin. place is the position of the pin; None is the current
        position of the node. velocity is the velocity of the pin; None keeps it in place. Vectors
        have one number per axis."""

    def release(self, node: int) -> None:
        """Releases a pinned node, which keeps the velocity of its pin."""

    def push(self, node: int, force: ArrayLike, duration: float | None = None) -> None:
        """Applies a force to a node for the next step, or for a duration, rounded to whole steps.
        Forces add up. With math.inf the force lasts until end_pushes."""

    def end_pushes(self) -> None:
        """Ends all forces applied by push."""

    def kick(self, node: int, impulse: ArrayLike) -> None:
        """Changes the momentum of a free node instantaneously. The impulse is mass times change of
        velocity."""

@final
class Batch:
    """Many runs of one body, whose arrays have the run as their first axis.

    runs is a number of equal runs, or a list of changes as in Scene.with_set, one per run. All runs
    have the same nodes and the same step. If the scene has several bodies, body chooses one by
    index or label. Runs advance together on one thread, in vectors if their method supports that.
    The result of each run is bit-identical to a run alone.
    """

    def __new__(
        cls,
        scene: Scene,
        runs: int | Iterable[_Set],
        *,
        body: int | str | None = None,
        minutes: float | None = None,
        unlimited: bool = False,
    ) -> Batch: ...
    @property
    def label(self) -> str:
        """Label of the body in messages."""

    @property
    def nodes(self) -> int:
        """Number of nodes of a run."""

    @property
    def axes(self) -> int:
        """Number of components of a position: 2 or 3."""

    @property
    def dt(self) -> float:
        """Step: frame_time / substeps."""

    @property
    def substeps(self) -> int:
        """Steps per frame."""

    @property
    def times(self) -> NDArray[np.float64]:
        """Simulated time of each run: float64 of shape (runs,)."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions: float64 of shape (runs, nodes, axes), a copy."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities: float64 of shape (runs, nodes, axes), a copy."""

    def positions_of(self, node: int) -> NDArray[np.float64]:
        """Positions of one node: float64 of shape (runs, axes), a copy."""

    @property
    def energies(self) -> dict[str, NDArray[np.float64]]:
        """Energies with their names, each float64 of shape (runs,): kinetic, gravitational,
        elastic, bending, twist, and their sum, total."""

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """Whether each run has diverged: bool of shape (runs,)."""

    def step(self, n: int = 1) -> None:
        """Takes n steps of dt in every run."""

    def advance(self, frames: int = 1) -> None:
        """Steps every run to the end of a frame: of the current frame for 1, of the next frame for
        2, and so on. Whole frames are fastest."""

    def reset(self, mask: ArrayLike | None = None) -> None:
        """Resets runs to their initial state: all runs, or the runs that mask selects, a bool array
        of shape (runs,)."""

    def pin(
        self,
        node: int,
        places: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        mask: ArrayLike | None = None,
    ) -> None:
        """Pins a node of every run, or of the runs in mask, or moves its pin. places and velocities
        are arrays of shape (runs, axes), or one vector for all runs. A pin without a velocity stays
        in place, and its run still advances in vectors."""

    def release(self, node: int, mask: ArrayLike | None = None) -> None:
        """Releases a pinned node of every run, or of the runs in mask."""

    def push(self, forces: ArrayLike, steps: int = 1) -> None:
        """Applies forces, an array of shape (runs, nodes, axes), for the next steps. steps is their
        number. Forces of 0 have no effect."""

    def set_motion(
        self,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        mask: ArrayLike | None = None,
    ) -> None:
        """Sets positions, velocities, or both, in every run or in the runs in mask. Both are arrays
        of shape (runs, nodes, axes). Methods restart from the new values."""

    def state(self, run: int) -> State:
        """State of a run, including the memory of its method."""

    def set_state(self, run: int, state: State) -> None:
        """Continues a run from a state. The result is bit-identical."""

    def __len__(self) -> int: ...

@final
class Animation:
    """Frames of a scene as a page with a player. Notebooks show the page, and save writes it as one
    HTML file that needs no network."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def __len__(self) -> int:
        """Number of frames."""

    def html(self) -> str:
        """Returns the page as text."""

    def save(self, path: _Path) -> None:
        """Writes the page as an HTML file, replacing an existing one."""

    def _repr_html_(self) -> str:
        """Returns the page inside an iframe, for notebooks."""

@final
class Picture:
    """A picture. Notebooks show it, and numpy.asarray(picture) or picture.pixels returns its array.
    """

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Red, green and blue of each pixel, row by row from the top: uint8 of shape (height,
        width, 3). The array is not a copy, so drawing on it changes the picture."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def png(self) -> bytes:
        """Returns the bytes of the picture as a PNG file."""

    def save(self, path: _Path) -> None:
        """Writes the picture as a PNG file, replacing an existing one. An incomplete file is never
        visible."""

    def _repr_png_(self) -> bytes: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Returns the pixels, for numpy.asarray and other functions that take arrays."""

@final
class Rendered:
    """A rendered folder of frames."""

    @property
    def folder(self) -> Path:
        """Folder with frame_00000.png and so on, and manifest.json."""

    @property
    def frames(self) -> int:
        """Number of requested frames that exist."""

    @property
    def steady(self) -> Path | None:
        """Path of the steady-state comparison; None if there is none."""

    @property
    def diverged(self) -> list[tuple[str, int | None]]:
        """Label of each body and the frame at which it diverged; None if it did not."""

@final
class Stability:
    """Maximum stable step of a body. Steps are in the scene's unit of time."""

    @property
    def label(self) -> str:
        """Label of the body in messages."""

    @property
    def method(self) -> str:
        """Name of the method."""

    @property
    def dt(self) -> float:
        """Step of the scene."""

    @property
    def predicted(self) -> float | None:
        """Maximum stable step according to the spectrum: inf if every step is stable, 0 if none is.
        None if there is no limit to predict."""

    @property
    def omega(self) -> float | None:
        """Angular frequency of the highest mode; None if there is no prediction."""

    @property
    def reach(self) -> Literal["whole", "until", "uncorrected", "too_long"] | None:
        """Validity of the prediction: whole, until (up to the time at which the budget was spent),
        uncorrected (within the budget, the forces of held lengths could not be considered) or
        too_long. None if there is no prediction."""

    @property
    def measured(self) -> float | None:
        """Longest step that a run survived; None if no run survived, or none was made."""

    @property
    def lost(self) -> float | None:
        """Shortest step above measured with which a run failed; None if no run failed."""

    @property
    def film_survives(self) -> bool | None:
        """Whether a run of all frames survives with the scene's own step; None if unknown."""

    @property
    def one_spring(self) -> float:
        """2/√(k/m), which is exact for one mass on one spring."""

@final
class Method:
    """A method, named by the field integrator of a scene."""

    @property
    def name(self) -> str:
        """Name in scenes."""

    @property
    def title(self) -> str:
        """Name in pictures."""

    @property
    def summary(self) -> str:
        """One-line description."""

    @property
    def order(self) -> int | None:
        """Order of the global error. None if the method does not integrate springs."""

    @property
    def damped_order(self) -> int | None:
        """Order of the global error with drag or friction in springs."""

    @property
    def holds_lengths(self) -> bool:
        """Whether the method keeps springs at their rest length instead of integrating their
        forces."""

    @property
    def options(self) -> list[MethodOption]:
        """Options of the method."""

@final
class MethodOption:
    """An option of a method, written in parentheses after its name in a scene."""

    @property
    def name(self) -> str:
        """Name of the option."""

    @property
    def summary(self) -> str:
        """One-line description."""

    @property
    def default(self) -> str:
        """Default value as text."""

    @property
    def range(self) -> str:
        """Allowed values in words."""

def methods() -> list[Method]:
    """Returns all methods with their options."""

@final
class Table:
    """Table of a sweep, with one row per body and variant, and one column per varying field and
    measure. Rows are in the order of variants, in which the last axis varies fastest.

    Columns are NumPy arrays: int64 for integers, float64 for numbers (with nan for missing values),
    and objects for text (with None). The column status is fine, diverged, exhausted or refused, and
    message says why a variant was refused.
    """

    @property
    def columns(self) -> list[str]:
        """Names of all columns, in order."""

    @property
    def axes(self) -> list[str]:
        """Fields that vary, in order."""

    @property
    def measures(self) -> list[str]:
        """Names of the measured columns."""

    @property
    def folder(self) -> Path | None:
        """Folder with table.csv, table.parquet and sweep.json; None if no folder was requested."""

    def keys(self) -> list[str]:
        """Names of all columns, in order."""

    def __getitem__(self, name: str, /) -> NDArray[Any]:
        """Returns a column."""

    def __len__(self) -> int:
        """Number of rows."""

    def __contains__(self, name: str, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns all columns with their names, for example for pandas.DataFrame."""

    def to_pandas(self) -> Any:
        """Returns the table as a pandas DataFrame. pandas must be installed."""

    def to_polars(self) -> Any:
        """Returns the table as a polars DataFrame. polars must be installed."""

def statics(
    scene: Scene,
    *,
    friction: bool = False,
    minutes: float | None = None,
    unlimited: bool = False,
    threads: int | None = None,
) -> dict[str, Any]:
    """Finds the rest state of each body from the balance of its forces, as catena statics does.

    No time passes, so neither damping nor steps matter. For a body without a rest state, the result
    has the reason and advice.

    With friction=True, contacts that slid between the start and the rest state have the maximum
    friction (Coulomb's limit) instead of none.

    Returns a dict with scene and bodies. bodies has one dict per body: panel, label, method and
    rest (a bool). If rest is True, the dict also has positions, tensions, pins with forces and
    moments, contacts, residual, iterations, stability, modes with omega_squared and shape, length,
    time, left, warnings and more. Otherwise it has reason and help. An unstable balance has rest
    False and all of these keys.
    """

def sweep(
    scene: Scene | _Path,
    axes: _Axes | None = None,
    *,
    sample: str | None = None,
    exclude: str | Sequence[str] | None = None,
    measure: str | Sequence[str] | None = None,
    frames: int | None = None,
    set: _Set | None = None,
    out: _Path | None = None,
    progress: _Progress = None,
    minutes: float | None = None,
    unlimited: bool = False,
    threads: int | None = None,
    allow_path: _Path | Sequence[_Path] | None = None,
    allow_any_path: bool = False,
) -> Table:
    """Measures many variants of a scene. Returns a table with one row per body and variant.

    scene is a Scene, or the path of a scene or sweep file. axes are the fields that vary: a dict of
    paths and values, such as {"rope.stiffness": [1, 10, 100]}, or texts "PATH=VALUES". Text in a
    dict uses the syntax of sweep files: {"rope.stiffness": "Log(1, 100, 3)"}. An axis of several
    fields has a path such as "rope.nodes, substeps", and tuples as values.

    sample is a sampling scheme such as "Sobol(256)", for axes without a count. exclude has patterns
    of variants to omit. measure has the names of measures, in one text or several. frames is the
    number of frames per variant. set has changes that override all axes.

    A variant that diverges, exhausts its budget or is refused has a row with that status. out is a
    folder for table.csv, table.parquet and sweep.json, in which an interrupted sweep can be
    resumed. progress=True shows a bar, as in Scene.simulate. allow_path and allow_any_path are as
    in Scene.read.
    """

def fit(
    scene: Scene,
    vary: str | Sequence[str],
    data: _Path | bytes | None = None,
    *,
    columns: str | None = None,
    node: int | None = None,
    first_node: int | None = None,
    node_order: Literal["forward", "reversed"] | None = None,
    first_frame: int | None = None,
    y: Literal["up", "down"] | None = None,
    scale: float = 1.0,
    translate: Sequence[float] | None = None,
    panel: str | int | None = None,
    body: int = 0,
    frames: int | None = None,
    minutes: float | None = None,
    unlimited: bool = False,
) -> dict[str, Any]:
    """Fits fields of a body to data by least squares, as catena fit does.

    vary has the fields, in one text such as "drag=0.1,rope.stiffness" or several; a number in
    braces varies inside a value: "gravity=(0, {-9.81})". data is the path of a CSV file or its
    contents as bytes; None takes the reference of the scene. columns, node, first_node, node_order,
    first_frame, y, scale and translate describe what the file itself does not say. panel is a label
    or a number from 0; body counts from 0.

    Returns a dict: parameters (field, start, estimate, standard_error, interval_95, at_bound),
    numbers, rms, rms_at_start, converged, fits, noise, warnings, set and more. If fits is False,
    the model does not fit the data, and there are no intervals.
    """

def identify(
    scene: Scene,
    data: _Path | bytes,
    *,
    columns: str | None = None,
    node: int | None = None,
    first_node: int | None = None,
    node_order: Literal["forward", "reversed"] | None = None,
    first_frame: int | None = None,
    y: Literal["up", "down"] | None = None,
    scale: float = 1.0,
    translate: Sequence[float] | None = None,
    panel: str | int | None = None,
    frames: int | None = None,
    substeps: Sequence[int] | None = None,
    only: bool = False,
    threads: int | None = None,
) -> dict[str, Any]:
    """Finds the method, variant and slip that reproduce the numbers of a program, as catena
    identify does.

    data is the path of a CSV file or its contents as bytes. substeps has further numbers of steps
    per frame to try; only=True tries only these numbers and the scene's own. panel is a label or a
    number from 0. The other arguments are as in fit.

    Returns a dict: outcome (identified, undecided or none), matches with phrase, method, slips,
    substeps, largest and tolerance, the next best candidate, margin, notes, advice and more.
    """

def diff(
    expected: _Path | bytes,
    actual: _Path | bytes,
    *,
    tolerance: float = 0.0,
    allow_extra: bool = False,
    columns: str | None = None,
    y: Literal["up", "down"] | None = None,
    first_frame: int | None = None,
    first_node: int | None = None,
    node_order: Literal["forward", "reversed"] | None = None,
    steps: int = 1,
    scale: float = 1.0,
    translate: Sequence[float] | None = None,
) -> dict[str, Any]:
    """Compares two files of numbers, such as traces, as catena diff does.

    expected and actual are paths of CSV files, or their contents as bytes. Rows are matched by
    frame, panel, body and node, columns by name. columns lists the columns of actual, such as
    "frame,node,x,y". The arguments y to translate describe how actual differs. y is "down" if y
    points down, and node_order is "reversed" for reversed nodes. first_frame and first_node are the
    numbers of the first frame and node, steps the number of steps per frame. scale is a factor, and
    translate the position of the origin.

    Returns a dict: passes, columns with largest, rms and place, frames, first_beyond, alone, hint
    and more.
    """
