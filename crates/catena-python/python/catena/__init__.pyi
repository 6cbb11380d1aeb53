"""Deterministic simulation of ropes and cloth.

A scene is read with Scene.read, Scene.parse or Scene.from_dict. It simulates to NumPy arrays, steps,
draws pictures that notebooks show, and says which steps are stable. Batch steps many runs at once,
and sweep measures many variants of a scene. The same scene gives the same bytes on every machine.
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
# A value as a scene has it: text is taken as it is, such as "Xpbd(iterations: 20)".
_Value: TypeAlias = Any
# {"rope.nodes": 8}, "rope.nodes=8" or ["rope.nodes=8", "substeps=128"]
_Set: TypeAlias = dict[str, _Value] | str | Sequence[str]
# {"rope.stiffness": [1, 10]}, {"rope.stiffness": "Log(1, 10, 2)"} or ["rope.stiffness=[1, 10]"]
_Axes: TypeAlias = dict[str, str | Iterable[_Value]] | str | Sequence[str]
# True shows a bar of tqdm; a function gets the number of frames so far and of all.
_Progress: TypeAlias = bool | Callable[[int, int], object] | None

class Error(Exception):
    """The base of the exceptions of catena."""

class InternalError(Error):
    """A fault of catena itself. Please report it with the scene that shows it."""

class SceneError(Error, ValueError):
    """A scene or sweep that cannot be used. Its text is the whole message: the place, the line in
    question, and advice."""

    file: str | None
    """What messages call the text, or the option that is wrong."""
    line: int | None
    """The line, counted from 1; None where the fault has no place in a file."""
    column: int | None
    """The column, counted from 1 in characters."""
    path: str | None
    """The field, such as base.rope.nodes."""
    help: str | None
    """Advice."""

@final
class Scene:
    """A scene, ready to run. It does not change: with_set makes another one."""

    @staticmethod
    def read(
        path: _Path,
        set: _Set | None = None,
        *,
        unlimited: bool = False,
        allow_path: _Path | Sequence[_Path] | None = None,
        allow_any_path: bool = False,
    ) -> Scene:
        """Read a scene file.

        set changes fields above all layers of the scene: a dict such as {"rope.nodes": 8}, or texts
        such as ["rope.nodes=8"]. Text in a dict is taken as the scene has it:
        {"integrator": "Xpbd(iterations: 20)"}. The scene may name files at and below its own folder.
        allow_path is a folder or a list of folders in which it may name files too, and
        allow_any_path allows all files. Raises SceneError where the scene cannot be used, and
        OSError where the file cannot be read.
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
        """Read the text of a scene. file is what messages call it, and files that the scene names
        are looked for beside it. allow_path and allow_any_path are those of read."""

    @staticmethod
    def from_dict(
        fields: dict[str, _Value],
        set: _Set | None = None,
        file: str = "scene",
        unlimited: bool = False,
        allow_path: _Path | Sequence[_Path] | None = None,
        allow_any_path: bool = False,
    ) -> Scene:
        """Read a scene from a dict of its fields: {"base": {"rope": {"nodes": 8}}}.

        Values are those of set: text is taken as the scene has it, so that a title is '"Ropes"'. The
        other arguments are those of parse.
        """

    def with_set(self, set: _Set) -> Scene:
        """The same scene with more changes, which stand above earlier ones."""

    @property
    def name(self) -> str:
        """The name: that of the file, without its ending."""

    @property
    def title(self) -> str | None:
        """The title above the panels."""

    @property
    def text(self) -> str:
        """The text that it was read from, without the changes of set."""

    @property
    def file(self) -> str:
        """What messages call it: the path of its file."""

    @property
    def changes(self) -> list[str]:
        """The changes of set, each as PATH=VALUE."""

    @property
    def frames(self) -> int:
        """How many frames it has."""

    @property
    def frame_time(self) -> float:
        """Simulated time from a frame to the next."""

    @property
    def axes(self) -> int:
        """How many components positions have: 2 in the plane, 3 in space."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures in pixels."""

    @property
    def labels(self) -> list[str]:
        """The labels of all bodies, panel by panel: those of simulate and stability."""

    @property
    def panels(self) -> list[Panel]:
        """Its panels."""

    def cautions(self) -> list[str]:
        """What should be known before its pictures are believed, a sentence each."""

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
        """Simulate the scene and return how each body moved: arrays for all frames, of which the
        first is the initial state.

        frames is how many; None takes the scene's. ledger=True adds where the energy of each frame
        came from and went to, and takes some times as long. minutes is what the run may take of one
        core, by estimate; unlimited lifts all limits. The numbers do not depend on threads.
        progress=True shows a bar of tqdm; a function gets the number of frames so far and of all.
        Other threads of Python go on meanwhile, and Ctrl-C ends it.
        """

    def start(
        self, body: int | str | None = None, *, minutes: float | None = None, unlimited: bool = False
    ) -> Simulation:
        """Start a simulation that is stepped from Python.

        body chooses one body, by index or label; None starts all. minutes is what each frame may
        take of one core, by estimate; unlimited lifts the limit.
        """

    def resume(
        self, data: bytes, *, minutes: float | None = None, unlimited: bool = False
    ) -> Simulation:
        """Continue a simulation of this scene from the bytes of its save, with the same bits.

        Raises ValueError where the bytes are of another scene, or damaged.
        """

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
        """Draw frames as an animation for notebooks: a page with a slider that needs no network.

        frames is how many, or a range, and every=3 draws each third of them.
        """

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
        """Draw a frame: the picture that `catena render` writes, pixel by pixel.

        All frames up to it are simulated first. size is width and height in pixels; font is a file
        for letters that the built-in typeface lacks.
        """

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
        """Draw the steady-state comparison: bodies run until they rest, and their shapes stand
        beside the hanging chain.

        It is the picture steady.png of a render of the same frames; None where there are rigs alone.
        steady_time is how many seconds of one core to wait for rest, by estimate.
        """

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
        """Render frames into a folder as PNG files, with manifest.json and, unless steady=False,
        steady.png.

        frames is how many, or a range. Frames that are there already are kept, so a render goes on
        where it was stopped.
        """

    def stability(
        self,
        frames: int | None = None,
        *,
        study_time: float | None = None,
        minutes: float | None = None,
        unlimited: bool = False,
        threads: int | None = None,
    ) -> list[Stability]:
        """The longest stable step of each body: predicted from its spectrum, and measured by runs.

        frames is how many a run has to survive; None takes the scene's. study_time is the budget of
        each body in counted seconds of one core; None means 4.
        """

    def _repr_png_(self) -> bytes:
        """The first frame, for notebooks."""

    def __reduce__(self) -> tuple[Any, tuple[str, list[str], str, bool]]:
        """Scenes can be copied and sent to other processes."""

@final
class Panel:
    """A panel of a scene."""

    @property
    def label(self) -> str:
        """What pictures call it."""

    @property
    def bodies(self) -> list[Body]:
        """Its bodies."""

@final
class Body:
    """A body of a scene at its start: masses, pins and springs, method and step. Arrays are
    copies."""

    @property
    def label(self) -> str:
        """What messages and arrays call it."""

    @property
    def method(self) -> str:
        """The name of its method, as the scene has it."""

    @property
    def nodes(self) -> int:
        """How many nodes it has."""

    @property
    def axes(self) -> int:
        """How many components a position has: 2 or 3."""

    @property
    def frame_time(self) -> float:
        """Simulated time from a frame to the next."""

    @property
    def substeps(self) -> int:
        """Steps a frame."""

    @property
    def dt(self) -> float:
        """The step, frame_time / substeps."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions at the start, of shape (nodes, axes)."""

    @property
    def masses(self) -> NDArray[np.float64]:
        """The mass of each node, of shape (nodes,)."""

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Whether each node is pinned, of shape (nodes,)."""

    @property
    def springs(self) -> NDArray[np.int64]:
        """The nodes at both ends of each spring, of shape (springs, 2)."""

    @property
    def rest_lengths(self) -> NDArray[np.float64]:
        """The rest length of each spring, of shape (springs,)."""

    @property
    def stiffnesses(self) -> NDArray[np.float64]:
        """The stiffness of each spring, force over length, of shape (springs,)."""

@final
class Run:
    """How a body moved. The first axis of each array is the frame; frame 0 is the initial state."""

    @property
    def label(self) -> str:
        """What messages and pictures call the body."""

    @property
    def panel(self) -> int:
        """The number of its panel."""

    @property
    def method(self) -> str:
        """The name of its method, as the scene has it."""

    @property
    def times(self) -> NDArray[np.float64]:
        """The time of each frame, of shape (frames,)."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions, of shape (frames, nodes, axes), in the scene's unit of length."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities as the method reports them, of shape (frames, nodes, axes), length over
        time."""

    @property
    def distances(self) -> NDArray[np.float64] | None:
        """Distances from the reference of the scene: (frames, nodes), nan where it has no data; None
        without a reference."""

    @property
    def energies(self) -> dict[str, NDArray[np.float64]]:
        """Energies under their names, each of shape (frames,): kinetic, gravitational, elastic and
        their sum, total.

        With ledger=True also anchors, colliders, damping, contact, external, yielding and method,
        what came from each since the frame before; residual, what none of them explains; and
        turned_over, the scale of rounding.
        """

    @property
    def outcome(self) -> Literal["fine", "diverged"]:
        """After a divergence the arrays show what the arithmetic gave, up to inf and nan."""

    @property
    def diverged(self) -> tuple[int, int] | None:
        """Frame and step at which it diverged, steps counted from the start."""

    @property
    def unconverged(self) -> int:
        """How many steps did not converge before it diverged, if it did."""

@final
class Runs:
    """How all bodies of a scene moved: a sequence, whose items have a number and a label."""

    @property
    def labels(self) -> list[str]:
        """The labels of the bodies, in their order."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: int | str, /) -> Run:
        """The run of a number, from the end below 0, or of a label."""

    def __iter__(self) -> Iterator[Run]: ...

@final
class State:
    """The state of a body at one time: positions, velocities, and all that its method, springs, pins
    and forces remember. set_state goes on from it with the same bits. States can be pickled."""

    @property
    def time(self) -> float:
        """Simulated time."""

    @property
    def steps(self) -> int:
        """How many steps were taken since the start."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions, of shape (nodes, axes): a copy."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities, of shape (nodes, axes): a copy."""

    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        """States can be copied and sent to other processes."""

@final
class Simulation:
    """A running scene, or some of its bodies, step by step.

    bodies has each body. What a body has, a simulation of a single body has as well; with several,
    it raises ValueError.
    """

    @property
    def bodies(self) -> SimulationBodies:
        """The bodies, by index or label."""

    @property
    def labels(self) -> list[str]:
        """The labels of the bodies."""

    def save(self) -> bytes:
        """Everything as bytes, from which scene.resume goes on with the same bits."""

    def draw(
        self, *, size: tuple[int, int] | None = None, font: _Path | None = None
    ) -> Picture:
        """The bodies as they are now, in the view that a render of the scene has. At the end of a
        frame of an unchanged run the pixels are those of scene.draw(frame), but for ghosts and
        trails."""

    @property
    def dt(self) -> float:
        """The step, frame_time / substeps."""

    @property
    def time(self) -> float:
        """Simulated time."""

    @property
    def frame(self) -> int:
        """The frame that contains the state."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions, of shape (nodes, axes): a copy."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities, of shape (nodes, axes): a copy."""

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Whether each node is pinned now, of shape (nodes,)."""

    @property
    def state(self) -> State:
        """The state, with all that the method remembers."""

    @property
    def energy(self) -> dict[str, float]:
        """Energies now: kinetic, gravitational, elastic, and their sum, total; with a rod bending
        and twist too."""

    @property
    def contacts(self) -> dict[str, NDArray[np.float64]]:
        """Mean forces of contacts over the last step: on nodes, of shape (nodes, axes), and on
        colliders, of shape (colliders, axes)."""

    @property
    def outcome(self) -> Literal["fine", "diverged"]:
        """Whether no body has diverged, as decided at the end of each frame."""

    def step(self, n: int = 1) -> None:
        """Take n steps of dt. Steps in any portions give the bits of an unbroken run.

        All bodies must have the same dt: use advance for others.
        """

    def advance(self, frames: int = 1) -> None:
        """Step to the end of a frame: the current one for 1, which is a whole frame at its start."""

    def set_state(
        self,
        state: State | None = None,
        *,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
    ) -> None:
        """Go on from a state, with the same bits; or set positions, velocities, or both, arrays of
        shape (nodes, axes). The method then starts again from them, and pins are held at their new
        places."""

    def pin(
        self, node: int, place: ArrayLike | None = None, velocity: ArrayLike | None = None
    ) -> None:
        """Pin a node, or move a pin: to place, or where it is, and from there on with a velocity.
        Without a velocity the pin stays."""

    def release(self, node: int) -> None:
        """Release a pinned node, which keeps the velocity of its pin."""

    def push(self, node: int, force: ArrayLike, duration: float | None = None) -> None:
        """Apply a force to a node for the next step, or for a duration, rounded to whole steps.
        Forces add up. math.inf is a duration without end; end_pushes ends all."""

    def end_pushes(self) -> None:
        """End the forces of push."""

    def kick(self, node: int, impulse: ArrayLike) -> None:
        """Change the momentum of a free node at once, by mass times change of velocity."""

@final
class SimulationBodies:
    """The bodies of a simulation: a sequence, whose items are found by index or label."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: int | str, /) -> SimulationBody: ...
    def __iter__(self) -> Iterator[SimulationBody]: ...

@final
class SimulationBody:
    """A body of a simulation. Each call changes it at once, and the next step starts from there."""

    @property
    def label(self) -> str:
        """What messages and arrays call it."""

    @property
    def method(self) -> str:
        """The name of its method, as the scene has it."""

    @property
    def nodes(self) -> int:
        """How many nodes it has."""

    @property
    def axes(self) -> int:
        """How many components a position has: 2 or 3."""

    @property
    def dt(self) -> float:
        """The step, frame_time / substeps."""

    @property
    def time(self) -> float:
        """Simulated time."""

    @property
    def frame(self) -> int:
        """The frame that contains the state."""

    @property
    def steps(self) -> int:
        """How many steps were taken since the start."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions, of shape (nodes, axes): a copy."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities, of shape (nodes, axes): a copy."""

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Whether each node is pinned now, of shape (nodes,)."""

    @property
    def state(self) -> State:
        """The state, with all that the method remembers."""

    @property
    def energy(self) -> dict[str, float]:
        """Energies now: kinetic, gravitational, elastic, and their sum, total; with a rod bending
        and twist too."""

    @property
    def contacts(self) -> dict[str, NDArray[np.float64]]:
        """Mean forces of contacts over the last step: on nodes, of shape (nodes, axes), and on
        colliders, of shape (colliders, axes)."""

    @property
    def outcome(self) -> Literal["fine", "diverged"]:
        """Whether it has diverged, as decided at the end of each frame."""

    @property
    def diverged(self) -> tuple[int, int] | None:
        """The frame and the step at which it diverged; None if it did not."""

    def step(self, n: int = 1) -> None:
        """Take n steps of dt. Steps in any portions give the bits of an unbroken run."""

    def advance(self, frames: int = 1) -> None:
        """Step to the end of a frame: the current one for 1, which is a whole frame at its start."""

    def set_state(
        self,
        state: State | None = None,
        *,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
    ) -> None:
        """Go on from a state, with the same bits; or set positions, velocities, or both, arrays of
        shape (nodes, axes). The method then starts again from them, and pins are held at their new
        places."""

    def pin(
        self, node: int, place: ArrayLike | None = None, velocity: ArrayLike | None = None
    ) -> None:
        """Pin a node, or move a pin: to place, or where it is, and from there on with a velocity.
        Without a velocity the pin stays."""

    def release(self, node: int) -> None:
        """Release a pinned node, which keeps the velocity of its pin."""

    def push(self, node: int, force: ArrayLike, duration: float | None = None) -> None:
        """Apply a force to a node for the next step, or for a duration, rounded to whole steps.
        Forces add up. math.inf is a duration without end; end_pushes ends all."""

    def end_pushes(self) -> None:
        """End the forces of push."""

    def kick(self, node: int, impulse: ArrayLike) -> None:
        """Change the momentum of a free node at once, by mass times change of velocity."""

@final
class Batch:
    """Many runs of one body, whose arrays have the run as their first axis.

    runs is a number of equal runs, or a list of changes as in Scene.with_set, one per run. All have
    the same nodes and the same step. body chooses one body of a scene with several. Runs advance
    side by side in vectors where their method can, on one thread, and each ends with the bits that
    it has alone.
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
        """What messages call the body."""

    @property
    def nodes(self) -> int:
        """How many nodes a run has."""

    @property
    def axes(self) -> int:
        """How many components a position has: 2 or 3."""

    @property
    def dt(self) -> float:
        """The step, frame_time / substeps."""

    @property
    def substeps(self) -> int:
        """Steps a frame."""

    @property
    def times(self) -> NDArray[np.float64]:
        """Simulated time of each run, of shape (runs,)."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions, of shape (runs, nodes, axes): a copy."""

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities, of shape (runs, nodes, axes): a copy."""

    def positions_of(self, node: int) -> NDArray[np.float64]:
        """Positions of one node, of shape (runs, axes): a copy."""

    @property
    def energies(self) -> dict[str, NDArray[np.float64]]:
        """Energies with their names, each of shape (runs,): kinetic, gravitational, elastic, bending,
        twist, and total."""

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """Whether each run has diverged, of shape (runs,)."""

    def step(self, n: int = 1) -> None:
        """Take n steps of dt in every run."""

    def advance(self, frames: int = 1) -> None:
        """Step every run to the end of a frame: the current one for 1, which is a whole frame at its
        start. Whole frames are fastest."""

    def reset(self, mask: ArrayLike | None = None) -> None:
        """Return runs to their start: all, or those of mask, of shape (runs,)."""

    def pin(
        self,
        node: int,
        places: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        mask: ArrayLike | None = None,
    ) -> None:
        """Pin or move a node of every run, or of those in mask: places and velocities are arrays of
        shape (runs, axes), or one vector for all."""

    def release(self, node: int, mask: ArrayLike | None = None) -> None:
        """Release a pinned node of every run, or of those in mask."""

    def push(self, forces: ArrayLike, steps: int = 1) -> None:
        """Apply forces, of shape (runs, nodes, axes), for the next steps. Zeros push nothing."""

    def set_motion(
        self,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        mask: ArrayLike | None = None,
    ) -> None:
        """Set positions, velocities, or both, of shape (runs, nodes, axes), in every run or in those
        of mask. Methods start again from them."""

    def state(self, run: int) -> State:
        """The state of a run, with all that its method remembers."""

    def set_state(self, run: int, state: State) -> None:
        """Go on from a state in a run, with the same bits."""

    def __len__(self) -> int: ...

@final
class Animation:
    """Frames of a scene as a page with a player, which notebooks show and which needs no network."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def __len__(self) -> int:
        """How many frames it has."""

    def html(self) -> str:
        """The page as text."""

    def save(self, path: _Path) -> None:
        """Write the page as an HTML file, over one that is there."""

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""

@final
class Picture:
    """A picture. Notebooks show it, and numpy.asarray(picture) or picture.pixels is its array."""

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Red, green and blue of each pixel, row by row from the top, of shape (height, width, 3).

        It is the picture itself, so drawing on it changes the picture.
        """

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def png(self) -> bytes:
        """The bytes of the picture as a PNG file."""

    def save(self, path: _Path) -> None:
        """Write the picture as a PNG file, in place of an older one. The file is whole or not
        there."""

    def _repr_png_(self) -> bytes: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The pixels, for numpy.asarray and all that takes arrays."""

@final
class Rendered:
    """A folder of frames that is rendered."""

    @property
    def folder(self) -> Path:
        """The folder: frame_00000.png and so on, and manifest.json."""

    @property
    def frames(self) -> int:
        """How many frames there are of those that were asked for."""

    @property
    def steady(self) -> Path | None:
        """The picture of the steady-state comparison; None where none was made."""

    @property
    def diverged(self) -> list[tuple[str, int | None]]:
        """The label of each body, and the frame at which it diverged; None where it did not."""

@final
class Stability:
    """What is known about the longest stable step of a body. Steps are in the scene's unit of
    time."""

    @property
    def label(self) -> str:
        """What messages call the body."""

    @property
    def method(self) -> str:
        """The name of its method."""

    @property
    def dt(self) -> float:
        """The step that the scene takes."""

    @property
    def predicted(self) -> float | None:
        """The longest stable step by the spectrum: inf where every step is stable, 0 where none is;
        None where there is no limit to predict."""

    @property
    def omega(self) -> float | None:
        """Angular frequency of the highest mode; None without a prediction."""

    @property
    def reach(self) -> Literal["whole", "until", "uncorrected", "too_long"] | None:
        """How far the prediction holds: whole, until (the budget was spent at some time),
        uncorrected (only forces beside held lengths are known) or too_long; None without one."""

    @property
    def measured(self) -> float | None:
        """The longest step that a run survived; None where none did, or none was run."""

    @property
    def lost(self) -> float | None:
        """The shortest longer step that was lost; None where none was."""

    @property
    def film_survives(self) -> bool | None:
        """Whether a run of all frames with the scene's own step does not diverge; None where that
        is not known."""

    @property
    def one_spring(self) -> float:
        """2/√(k/m), which is right for one mass on one spring."""

@final
class Method:
    """A method, as a scene names it under integrator."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def title(self) -> str:
        """Its name in pictures."""

    @property
    def summary(self) -> str:
        """What it does, in a line."""

    @property
    def order(self) -> int | None:
        """The order of its global error; None if it does not integrate springs."""

    @property
    def damped_order(self) -> int | None:
        """The same with drag or friction in springs."""

    @property
    def holds_lengths(self) -> bool:
        """Whether it keeps springs at their rest length instead of integrating their force."""

    @property
    def options(self) -> list[MethodOption]:
        """Its options."""

@final
class MethodOption:
    """An option of a method, as a scene writes it in parentheses behind the name."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def summary(self) -> str:
        """What it does, in a line."""

    @property
    def default(self) -> str:
        """Its value when left out, as text."""

    @property
    def range(self) -> str:
        """Which values are allowed, in words."""

def methods() -> list[Method]:
    """All methods, with their options."""

@final
class Table:
    """The table of a sweep: a row for each body of each variant, a column for each field that
    varies and each measure.

    Rows are in the order of variants, of which the last axis varies most often. Columns are arrays:
    int64 for whole numbers, float64 for numbers (with nan where there is no value), and objects for
    text (with None). The column status is fine, diverged, exhausted or refused, and message says
    why a variant was refused.
    """

    @property
    def columns(self) -> list[str]:
        """The names of all columns, in order."""

    @property
    def axes(self) -> list[str]:
        """The fields that vary, in order."""

    @property
    def measures(self) -> list[str]:
        """The names of the columns that were measured."""

    @property
    def folder(self) -> Path | None:
        """The folder with table.csv, table.parquet and sweep.json; None if none was asked for."""

    def keys(self) -> list[str]:
        """The names of all columns, in order."""

    def __getitem__(self, name: str, /) -> NDArray[Any]:
        """A column."""

    def __len__(self) -> int:
        """How many rows there are."""

    def __contains__(self, name: str, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """All columns under their names, for pandas.DataFrame and its like."""

    def to_pandas(self) -> Any:
        """The table as a DataFrame of pandas, which must be installed."""

    def to_polars(self) -> Any:
        """The table as a DataFrame of polars, which must be installed."""

def statics(
    scene: Scene,
    *,
    friction: bool = False,
    minutes: float | None = None,
    unlimited: bool = False,
    threads: int | None = None,
) -> dict[str, Any]:
    """Find the rest of each body from the balance of its forces, as catena statics does.

    No time passes, so neither damping nor steps matter. A body without rest has the reason and what
    to do instead.

    With friction, contacts that slid from the start to the rest have their whole friction
    (Coulomb's limit) instead of none.

    The dict has scene, and bodies, one dict each: panel, label, method, rest, and with a rest
    positions, tensions, pins with forces and moments, contacts, residual, iterations, stability,
    modes with omega_squared and shape, length, time, left, warnings and more; otherwise reason
    and help. An unstable balance has rest false, and all of these.
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
    """Measure many variants of a scene and return a table: a row for each body of each variant.

    scene is a Scene, or the path of a scene or sweep file. axes says which fields vary: a dict of
    paths and values, {"rope.stiffness": [1, 10, 100]}, where text is taken as a sweep file has it,
    {"rope.stiffness": "Log(1, 100, 3)"}; or texts "PATH=VALUES". Several fields that go together
    stand under "rope.nodes, substeps", with tuples for values. sample is a sample such as
    "Sobol(256)", for axes without a count; exclude are patterns of variants to leave out. measure is
    what is measured, names in one text or several; frames how many frames a variant has; set are
    changes above all axes.

    A variant that diverges, uses up its budget or is refused is a row with that status. out is a
    folder for table.csv, table.parquet and sweep.json: the same sweep goes on there after an
    interruption. progress=True shows a bar, as in Scene.simulate. allow_path and allow_any_path are
    those of Scene.read.
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
    """Fit fields of a body to data by least squares, as catena fit does.

    vary has the fields, in one text such as "drag=0.1,rope.stiffness" or several; a number in
    braces varies inside a value: "gravity=(0, {-9.81})". data is the path of a CSV file or its
    contents as bytes; None takes the reference of the scene. columns, node, first_node,
    node_order, first_frame, y, scale and translate say what the file does not. panel is a label or a
    number from 0; body counts from 0.

    The dict has parameters, each with field, start, estimate, standard_error, interval_95 and
    at_bound, and numbers, rms, rms_at_start, converged, fits, noise, warnings and set. Where fits is
    False, the model does not fit the data, and there are no intervals.
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
    """Find the method, variant and slip that reproduce the numbers of a program, as catena identify
    does.

    data is the path of a CSV file or its contents as bytes. substeps has further numbers of steps
    per frame to try; only=True tries no others than these and those of the scene. The other
    arguments are those of fit.

    The dict has outcome, which is identified, undecided or none; matches with phrase, method, slips,
    substeps, largest and tolerance; next, the best candidate that does not fit; margin, notes and
    advice.
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
    """Compare two files of numbers, such as traces, as catena diff does.

    Rows are matched by frame, panel, body and node, columns by name. columns, y, first_frame,
    first_node, node_order, steps, scale and translate say how actual differs: a list such as
    "frame,node,x,y", y="down", the frame and node that its first ones show, "reversed", steps per
    frame, a factor, the position of its origin.

    The dict has passes, columns with their largest difference, rms and place, frames, first_beyond,
    alone and hint.
    """
