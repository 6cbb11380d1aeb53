"""Uses of every class that mypy --strict must accept, and some uses that it must refuse."""

from pathlib import Path

import catena
import numpy as np
from numpy.typing import NDArray


def motion(scene: catena.Scene) -> NDArray[np.float64]:
    runs = scene.simulate(300, ledger=True, threads=1)
    for run in runs:
        print(run.label, run.energies["total"][-1], run.diverged)
    return runs["A"].positions + runs[0].velocities


def pictures(scene: catena.Scene) -> bytes:
    steady = scene.steady(frames=range(3))
    if steady is not None:
        steady.save(Path("steady.png"))
    folder: Path = scene.render("out", 3, size=(640, 360)).folder
    print(np.asarray(scene.draw()).shape, folder)
    return scene.draw(3).png()


def tables(scene: catena.Scene) -> int:
    table = catena.sweep(scene, {"substeps": [1, 2], "drag": "Linear(0, 1, 3)"}, measure="Energy")
    limits: list[float | None] = [it.predicted for it in scene.stability()]
    names: list[str] = [option.name for it in catena.methods() for option in it.options]
    return len(table) + len(limits) + len(names) + int(table["variant"][0])


def steps(scene: catena.Scene) -> NDArray[np.float64]:
    sim = scene.start("A")
    sim.pin(0, place=(0, 0), velocity=np.zeros(2))
    sim.push(-1, [0.0, 1.0], duration=0.1)
    sim.step(3)
    state: catena.State = sim.state
    sim.set_state(state)
    again: catena.Simulation = scene.resume(sim.save())
    for body in again.bodies:
        print(body.label, body.energy["total"], body.contacts["nodes"].shape, body.diverged)
    batch = catena.Batch(scene, [{"drag": 0.1}, {"drag": 0.2}], body=0)
    batch.pin(0, velocities=(0.1, 0.0), mask=[True, False])
    return batch.positions + sim.positions


def films(scene: catena.Scene) -> str:
    print(len(scene.animate(30, every=3, progress=print)))
    scene.simulate(3, progress=True)
    return scene.animate(range(3), size=(320, 240)).html()


def place(text: str) -> tuple[int | None, str | None]:
    try:
        catena.Scene.parse(text, set={"rope.nodes": 8})
    except catena.SceneError as error:
        return error.line, error.help
    return None, None


def refused(scene: catena.Scene) -> None:
    scene.simulate("300")  # type: ignore[arg-type]
    scene.draw(3, (640, 360))  # type: ignore[call-arg]
    scene.title = "other"  # type: ignore[misc]
    scene.start().positions = np.zeros(2)  # type: ignore[misc]
    catena.sweep(3)  # type: ignore[arg-type]
