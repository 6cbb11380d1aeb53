"""Prints how fast catena is from Python, on one core.

    python crates/catena-python/bench.py                  # the rope of scenes/compare.ron, beside NumPy alone
    python crates/catena-python/bench.py environments     # steps of 1,024 environments, beside other simulators

The second one takes turns with PyElastica and with the cable of MuJoCo, where these are installed:
pip install pyelastica "mujoco<4". An environment step is a frame of 20 ms of a rope of 64 nodes and 1 m,
which hangs from a pin that moves. Each simulator has the longest step of 1, 2 and 5 times a power of
ten at which its rope survives, found by the script. Simulators that have one rope at a time step few of
them, and the count is per rope.
"""

import pathlib
import sys
import time

import catena
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "tests"))
import rope  # noqa: E402


def best(work, times):
    """The shortest of some times, in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


FRAME = 0.02
NODES = 64
ROPES = 1024
# Longest steps that are tried, in seconds.
STEPS = [5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6]


class Catena:
    """All ropes in a batch, whose pins move with the frame."""

    ropes = ROPES

    def __init__(self, dt, ropes=ROPES, method="SemiImplicitEuler", moves=True):
        scene = catena.Scene.parse(f"""Scene(base: (
            gravity: (0, 0, -9.81), frame_time: {FRAME}, substeps: {round(FRAME / dt)},
            rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: {NODES}, mass: {0.0785 / NODES}, stiffness: 2000,
                damping: 0.01, pins: [First]),
            integrator: {method}, drag: 1e-4,
        ))""")
        self.ropes, self.moves = ropes, moves
        self.batch = catena.Batch(scene, ropes)
        self.random = np.random.default_rng(0)

    def step(self):
        velocities = self.random.uniform(-0.5, 0.5, (self.ropes, 3))
        if self.moves:
            self.batch.pin(0, velocities=velocities)
        else:
            places = self.batch.positions_of(0) + FRAME * velocities
            self.batch.pin(0, places)
        self.batch.advance()
        return self.batch.positions, self.batch.velocities

    def survives(self):
        return not self.batch.diverged.any()


class Environment:
    """The vector environment, with observations, rewards and targets."""

    ropes = ROPES

    def __init__(self, dt, ropes=ROPES):
        import catena.gym

        self.ropes = ropes
        scene = catena.Scene.parse(f"""Scene(base: (
            gravity: (0, 0, -9.81), frame_time: {FRAME}, substeps: {round(FRAME / dt)},
            rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: {NODES}, mass: {0.0785 / NODES}, stiffness: 2000,
                damping: 0.01, pins: [First]),
            drag: 1e-4,
        ))""")
        self.env = catena.gym.ReachVectorEnv(ropes, scene, speed=0.5)
        self.env.reset(seed=0)
        self.random = np.random.default_rng(0)

    def step(self):
        return self.env.step(self.random.uniform(-1, 1, (self.ropes, 3)).astype(np.float32))

    def survives(self):
        return not self.env.batch.diverged.any()


class Elastica:
    """One rod of PyElastica; its first node follows a velocity."""

    ropes = 1

    def __init__(self, dt):
        import elastica as ea

        class System(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping):
            pass

        class Hand(ea.ConstraintBase):
            def __init__(self, *places, **options):
                super().__init__(**options)
                self.place, self.velocity = np.zeros(3), np.zeros(3)

            def constrain_values(self, system, time):
                system.position_collection[..., 0] = self.place

            def constrain_rates(self, system, time):
                system.velocity_collection[..., 0] = self.velocity

        axis, normal = np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
        rod = ea.CosseratRod.straight_rod(
            NODES - 1, np.zeros(3), axis, normal, 1.0, 0.005, 1000.0,
            youngs_modulus=1e6, shear_modulus=1e6 / 3,
        )
        system = System()
        system.append(rod)
        system.constrain(rod).using(Hand, constrained_position_idx=(0,))
        system.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=np.array([0, 0, -9.81]))
        system.dampen(rod).using(ea.AnalyticalLinearDamper, damping_constant=0.5, time_step=dt)
        system.finalize()
        self.system, self.rod, self.dt, self.time = system, rod, dt, 0.0
        self.stepper = ea.PositionVerlet()
        self.random = np.random.default_rng(0)

    def step(self):
        velocity = self.random.uniform(-0.5, 0.5, 3)
        for _ in range(round(FRAME / self.dt)):
            self.rod.velocity_collection[..., 0] = velocity
            self.time = self.stepper.step(self.system, self.time, self.dt)
        return self.rod.position_collection.copy(), self.rod.velocity_collection.copy()

    def survives(self):
        return bool(np.abs(self.rod.position_collection).max() < 10)


class Mujoco:
    """One cable of MuJoCo, whose first body follows a mocap body."""

    ropes = 1

    def __init__(self, dt):
        import mujoco

        self.mujoco = mujoco
        self.model = mujoco.MjModel.from_xml_string(f"""<mujoco>
            <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
            <option timestep="{dt}" gravity="0 0 -9.81"><flag contact="disable"/></option>
            <worldbody>
              <body name="hand" mocap="true"/>
              <composite type="cable" curve="s" count="{NODES} 1 1" size="1" initial="free">
                <plugin plugin="mujoco.elasticity.cable">
                  <config key="twist" value="1e6"/><config key="bend" value="1e6"/>
                </plugin>
                <joint kind="main" damping="1e-4"/>
                <geom type="capsule" size=".005" density="1000"/>
              </composite>
            </worldbody>
            <equality><connect body1="hand" body2="B_first" anchor="0 0 0"/></equality>
        </mujoco>""")
        self.data = mujoco.MjData(self.model)
        self.dt = dt
        self.random = np.random.default_rng(0)

    def step(self):
        velocity = self.random.uniform(-0.5, 0.5, 3)
        for _ in range(round(FRAME / self.dt)):
            self.data.mocap_pos[0] += self.dt * velocity
            self.mujoco.mj_step(self.model, self.data)
        return self.data.xpos.copy(), self.data.cvel.copy()

    def survives(self):
        return bool(np.isfinite(self.data.qpos).all()) and not any(
            warning.number for warning in self.data.warning
        )


def longest(make):
    """The longest step at which a rope survives two seconds."""
    for dt in STEPS:
        simulator = make(dt)
        for _ in range(round(2 / FRAME)):
            with np.errstate(all="ignore"):
                simulator.step()
            if not simulator.survives():
                break
        else:
            return dt
    return None


def environments():
    cases = {
        "catena.Batch, pins with velocities": (Catena, {"ropes": 1}),
        "catena.Batch, pins from place to place": (
            lambda dt, ropes=ROPES: Catena(dt, ropes, moves=False), {"ropes": 1},
        ),
        "catena.gym.ReachVectorEnv": (Environment, {"ropes": 1}),
        "PyElastica": (Elastica, {}),
        "MuJoCo, cable": (Mujoco, {}),
    }
    running = {}
    for name, (make, few) in cases.items():
        try:
            dt = longest(lambda dt: make(dt, **few))
        except ImportError as error:
            print(f"{name}: left out, {error}")
            continue
        if dt is None:
            print(f"{name}: no step survives")
            continue
        running[name] = (make(dt), dt)
    rates = {name: [] for name in running}
    # They take turns, so that whatever else the machine does meets all of them.
    for _ in range(5):
        for name, (simulator, _) in running.items():
            count, start = 0, time.perf_counter()
            while time.perf_counter() - start < 1.0:
                simulator.step()
                count += simulator.ropes
            rates[name].append(count / (time.perf_counter() - start))
    slowest = min(max(rate) for rate in rates.values())
    print(f"steps of environments a second: ropes of {NODES} nodes, {1000 * FRAME:g} ms each, one core")
    for name, (_, dt) in running.items():
        rate = max(rates[name])
        print(f"{name:<40} dt {1e6 * dt:6.0f} us {rate:12.0f}   {rate / slowest:8.1f} times the slowest")


def main():
    if sys.argv[1:] == ["environments"]:
        return environments()
    frames = 600
    scene = catena.Scene.read(HERE.parents[1] / "scenes" / "compare.ron")
    print(f"{frames} frames of 64 steps, 16 nodes; catena on one thread, the best of five runs")
    for panel, alone in enumerate((rope.semi_implicit_euler, rope.constraint_verlet)):
        label = scene.labels[panel]
        # One method alone: the other panel is left out of the text.
        lines = scene.text.splitlines(keepends=True)
        kept = [line for line in lines if "label:" not in line or label in line]
        one = catena.Scene.parse("".join(kept))
        assert one.labels == [label]
        of_catena = best(lambda: one.simulate(frames, threads=1), 5)
        of_numpy = best(lambda: alone(frames), 1)
        print(
            f"{label:<20} catena {1e3 * of_catena:7.2f} ms   NumPy {1e3 * of_numpy:9.1f} ms"
            f"   {of_numpy / of_catena:7.0f} times as fast"
        )


if __name__ == "__main__":
    main()
