"""Gymnasium environments: a rope whose free end has to reach a target.

    import catena.gym
    env = catena.gym.ReachEnv()

Importing this module also registers `catena/Reach-v0`, for gymnasium.make and gymnasium.make_vec.
Gymnasium has to be installed separately: pip install gymnasium.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import catena

try:
    import gymnasium
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
except ImportError as _missing:
    raise ImportError("catena.gym needs gymnasium: pip install gymnasium") from _missing

__all__ = ["ROPE", "ReachEnv", "ReachVectorEnv"]

ROPE = """Scene(base: (
    size: (320, 320), gravity: (0, -9.81), frame_time: 0.02, substeps: 16,
    rope: (start: (0, 0), end: (0, -1), nodes: 16, mass: 0.02, stiffness: 2000, damping: 0.05,
        pins: [First]),
    integrator: SemiImplicitEuler, drag: 0.01,
))"""
"""Default scene of the task."""

_Float = NDArray[np.float64]
# Bound on the magnitude of observations, which only a diverging rope exceeds.
_MOST = 1e6


class _Task:
    """Parts that both environments share: the scene, the spaces and the targets."""

    def __init__(
        self,
        scene: catena.Scene | None,
        node: int,
        pin: int,
        speed: float,
        steps: int,
        tolerance: float,
    ) -> None:
        self.scene = catena.Scene.parse(ROPE) if scene is None else scene
        body = self.scene.panels[0].bodies[0]
        self.nodes, self.axes = body.nodes, body.axes
        self.node, self.pin = range(self.nodes)[node], range(self.nodes)[pin]
        self.speed, self.steps, self.tolerance = float(speed), int(steps), float(tolerance)
        self.start: _Float = body.positions
        self.reach = float(body.rest_lengths.sum())
        size = 2 * self.nodes * self.axes + self.axes
        self.observations = gymnasium.spaces.Box(-_MOST, _MOST, (size,), np.float64)
        self.actions = gymnasium.spaces.Box(-1.0, 1.0, (self.axes,), np.float32)

    def target(self, random: np.random.Generator) -> _Float:
        """Random target, at most half the rope's length from the end's start in each coordinate."""
        return self.start[self.node] + random.uniform(-0.5, 0.5, self.axes) * self.reach

    def velocities(self, actions: Any) -> _Float:
        """Pin velocities for actions, which are clipped to their range."""
        return self.speed * np.clip(np.asarray(actions, np.float64), -1.0, 1.0)


class ReachEnv(gymnasium.Env[_Float, NDArray[np.float32]]):
    """Bring the free end of a rope to a target by moving its pin.

    An action is the velocity of the pin during one frame. Each component is from -1 to 1, in units
    of speed. An observation has all positions, all velocities and the target. The reward is the
    negative distance of the end from the target, in lengths of the rope. An episode terminates when
    the distance is below tolerance, or when the rope diverges. It is truncated after steps frames.

    scene is a catena.Scene whose first body is the rope. node is the end that has to reach the
    target, and pin is the node that moves. sim is the catena.Simulation; subclasses can define other
    tasks with it.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(
        self,
        scene: catena.Scene | None = None,
        *,
        node: int = -1,
        pin: int = 0,
        speed: float = 1.0,
        steps: int = 200,
        tolerance: float = 0.05,
        render_mode: str | None = None,
    ) -> None:
        self.task = _Task(scene, node, pin, speed, steps, tolerance)
        self.observation_space = self.task.observations
        self.action_space = self.task.actions
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode: expected None or 'rgb_array', found {render_mode!r}")
        self.render_mode = render_mode
        self.sim = self.task.scene.start(0)
        self._first = self.sim.state
        self._target = self.task.start[self.task.node].copy()
        self._taken = 0

    def _observe(self) -> tuple[_Float, float]:
        positions, velocities = self.sim.positions, self.sim.velocities
        seen = np.concatenate([positions.ravel(), velocities.ravel(), self._target])
        distance = np.linalg.norm(positions[self.task.node] - self._target) / self.task.reach
        return seen, float(distance)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Float, dict[str, Any]]:
        """Starts an episode. options may have a target, one number per axis."""
        super().reset(seed=seed)
        self.sim.set_state(self._first)
        self._target = self.task.target(self.np_random)
        if options and "target" in options:
            self._target = np.array(options["target"], np.float64).reshape(self.task.axes)
        self._taken = 0
        seen, distance = self._observe()
        return seen, {"distance": distance}

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[_Float, float, bool, bool, dict[str, Any]]:
        """Moves the pin for one frame."""
        self.sim.pin(self.task.pin, velocity=self.task.velocities(action))
        self.sim.advance()
        self._taken += 1
        seen, distance = self._observe()
        if self.sim.outcome == "diverged":
            # Observations of a diverged run may be inf or nan, so they are limited to the bounds.
            seen, distance = _bounded(seen), 10.0
            return seen, -distance, True, False, {"distance": distance, "diverged": True}
        over = distance < self.task.tolerance
        return seen, -distance, over, self._taken >= self.task.steps, {"distance": distance}

    def render(self) -> NDArray[np.uint8] | None:  # type: ignore[override]
        """Draws the rope, its pin and the target as pixels of shape (320, 320, 3)."""
        if self.render_mode is None:
            return None
        return _picture(self.sim.positions, self.task.pin, self._target, self.task.reach)


def _bounded(seen: _Float) -> _Float:
    """Clips numbers to the bounds of observations."""
    return np.nan_to_num(seen, posinf=_MOST, neginf=-_MOST).clip(-_MOST, _MOST)


def _picture(places: _Float, pin: int, target: _Float, reach: float) -> NDArray[np.uint8]:
    """Draws a rope in the plane of its first two axes."""
    size = 320
    pixels = np.full((size, size, 3), 255, np.uint8)
    middle = np.array([0.0, -0.5 * reach])
    scale = size / (3.0 * reach)

    def dots(points: _Float, radius: int, color: tuple[int, int, int]) -> None:
        at = np.nan_to_num((points[:, :2] - middle) * scale)
        columns, rows = (0.5 * size + at * (1, -1)).clip(-9, size + 9).astype(int).T
        for row in range(-radius, radius + 1):
            for column in range(-radius, radius + 1):
                r, c = rows + row, columns + column
                inside = (r >= 0) & (r < size) & (c >= 0) & (c < size)
                pixels[r[inside], c[inside]] = color

    shares = np.linspace(0, 1, 24)[:, None, None]
    between = (1 - shares) * places[:-1] + shares * places[1:]
    dots(between.reshape(-1, places.shape[1]), 1, (30, 30, 30))
    dots(places[pin : pin + 1], 4, (200, 60, 40))
    dots(target[None], 4, (40, 140, 60))
    return pixels


class ReachVectorEnv(VectorEnv[_Float, NDArray[np.float32], NDArray[Any]]):
    """Vector environment: num_envs runs of the task of ReachEnv in one catena.Batch.

    Each run gives the same bits as a ReachEnv with the same seed and actions; with seed s, run i has
    the seed s + i. A run whose episode has ended starts the next one at the next step, as specified
    by gymnasium's AutoresetMode.NEXT_STEP.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        scene: catena.Scene | None = None,
        *,
        node: int = -1,
        pin: int = 0,
        speed: float = 1.0,
        steps: int = 200,
        tolerance: float = 0.05,
    ) -> None:
        self.task = _Task(scene, node, pin, speed, steps, tolerance)
        self.num_envs = num_envs
        self.single_observation_space = self.task.observations
        self.single_action_space = self.task.actions
        batch_space = gymnasium.vector.utils.batch_space
        self.observation_space = batch_space(self.task.observations, num_envs)
        self.action_space = batch_space(self.task.actions, num_envs)
        self.render_mode = None
        self.batch = catena.Batch(self.task.scene, num_envs, body=0)
        self._targets = np.tile(self.task.start[self.task.node], (num_envs, 1))
        self._generators = [seeding.np_random()[0] for _ in range(num_envs)]
        self._taken = np.zeros(num_envs, np.int64)
        self._ended = np.zeros(num_envs, np.bool_)

    def _observe(self) -> tuple[_Float, _Float]:
        positions, velocities = self.batch.positions, self.batch.velocities
        runs = self.num_envs
        seen = np.concatenate(
            [positions.reshape(runs, -1), velocities.reshape(runs, -1), self._targets], axis=1
        )
        # Norms are computed one by one, so that distances have the same bits as in ReachEnv.
        offsets = positions[:, self.task.node] - self._targets
        distances = np.array([np.linalg.norm(offset) for offset in offsets]) / self.task.reach
        return seen, distances

    def reset(  # type: ignore[override]
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[_Float, dict[str, Any]]:
        """Starts an episode in every run. options may have targets, of shape (num_envs, axes)."""
        if isinstance(seed, int):
            seed = [seed + run for run in range(self.num_envs)]
        for run, own in enumerate(seed or []):
            if own is not None:
                self._generators[run] = seeding.np_random(own)[0]
        self._targets = np.array([self.task.target(one) for one in self._generators])
        if options and "targets" in options:
            shape = (self.num_envs, self.task.axes)
            self._targets = np.array(options["targets"], np.float64).reshape(shape)
        self.batch.reset()
        self._taken[:] = 0
        self._ended[:] = False
        seen, distances = self._observe()
        return seen, {"distance": distances, "_distance": np.ones(self.num_envs, np.bool_)}

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[_Float, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Moves the pins for one frame. Runs whose episode has ended are reset instead."""
        fresh = self._ended.copy()
        self.batch.pin(self.task.pin, velocities=self.task.velocities(actions))
        self.batch.advance()
        self._taken += 1
        if fresh.any():
            self.batch.reset(fresh)
            self._taken[fresh] = 0
            for run in np.flatnonzero(fresh):
                self._targets[run] = self.task.target(self._generators[run])
        seen, distances = self._observe()
        lost = self.batch.diverged
        if lost.any():
            seen[lost] = _bounded(seen[lost])
            distances[lost] = 10.0
        over = (distances < self.task.tolerance) | lost
        over[fresh] = False
        cut = (self._taken >= self.task.steps) & ~fresh
        self._ended = over | cut
        rewards = np.where(fresh, 0.0, -distances)
        return seen, rewards, over, cut, {"distance": distances, "_distance": ~fresh}


gymnasium.register(
    id="catena/Reach-v0",
    entry_point="catena.gym:ReachEnv",
    vector_entry_point="catena.gym:ReachVectorEnv",
)
