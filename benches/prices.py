#!/usr/bin/env python3
"""Compares the prices of random scenes, which cover all features, with the time that they take.

    python3 benches/prices.py --program target/release/catena --count 500 --seed 1

Each scene is priced by `catena check`, and run by `catena trace`, `catena render --film`, `catena render --no-steady` or `catena render`. The price
is in nanoseconds of one core, so it is compared with the run's user time, not with wall time. Other work on the machine makes times longer, so each
scene runs several times, and the minimum time counts. The script lengthens a scene until the start of the process is a small part of its time; the
price includes that start.

--priced-by PROGRAM asks another program for the prices, such as a build without optimisation: prices do not depend on a clock.
--keep FILE appends the scenes with their times to a file, one JSON object per line. --again FILE prices those scenes without running them; with
--keep it writes them with their prices.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]

# Minimum user time of a scene that counts, and the time limit of a run, in seconds.
SHORTEST, ENDED = 0.05, 12
# A price counts as right if it differs from the time by at most this factor.
FACTOR = 2.0

METHODS = ["ExplicitEuler", "SemiImplicitEuler", "VelocityVerlet", "PositionVerlet", "Leapfrog", "StormerVerlet", "ForceVerlet", "Yoshida4", "Midpoint",
           "Heun", "Rk4", "AdamsBashforth2", "AdamsBashforth3", "AdamsBashforth4", "AdamsBashforthMoulton2", "AdamsBashforthMoulton3",
           "AdamsBashforthMoulton4", "LectureAdamsBashforth2", "LectureAdamsBashforth3", "LecturePredictorCorrector", "DormandPrince",
           "DormandPrince8", "ImplicitEuler", "ImplicitMidpoint", "ConstraintVerlet", "Pbd", "Xpbd", "Shake"]
HELD = {"ConstraintVerlet", "Pbd", "Shake"}
POSITIONS = HELD | {"Xpbd", "PositionVerlet", "ForceVerlet", "StormerVerlet", "Leapfrog"}
LAWS = ["Exponential(alpha: 2)", "StrainExponential(alpha: 2)", "TensionOnly", "PiecewiseLinear(points: [(-0.5, -1), (0, 0), (0.5, 2)])"]


def vector(numbers):
    return "(" + ", ".join(f"{number:.6g}" for number in numbers) + ")"


class Scene:
    """A random scene: its features, its text, and the command that runs it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed, self.features, self.fields = seed, {}, {}
        chance = self.random
        self.space = chance.random() < 0.45
        self.mark("axes", "space" if self.space else "plane")
        self.size_of_picture()
        self.kind_and_method()
        getattr(self, self.kind)()
        self.motion()
        self.surroundings()
        self.looks()
        self.panels()
        self.command = chance.choices(["trace", "film", "frames", "render"], [48, 32, 15, 5])[0]
        self.mark("command", self.command)
        self.frames = 3 if self.command == "trace" else chance.choice([10, 30, 60])

    def mark(self, name, value=True):
        self.features[name] = value

    def place(self, x, y, z=0.0):
        return vector((x, y, z) if self.space else (x, y))

    def size_of_picture(self):
        width, height = self.random.choice([(320, 200), (640, 360), (1280, 720), (1920, 1080), (800, 800)])
        self.fields["size"] = f"({width}, {height})"
        self.mark("size", f"{width}x{height}")

    # Bodies, each about 1 to 2 units long.

    def kind_and_method(self):
        kinds = {"rope": 30, "ring": 6, "cloth": 17, "net": 6, "mesh": 7, "graph": 6, "rod": 12, "parts": 10, "route": 6}
        kind = self.random.choices(list(kinds), list(kinds.values()))[0]
        self.kind = kind
        self.mark("body", kind)
        self.stiffness = 10 ** self.random.uniform(1.5, 3.5)
        self.mass = 0.01
        self.method = self.random.choice(METHODS)
        if kind == "route":
            self.method = self.random.choice(["SemiImplicitEuler", "VelocityVerlet", "Rk4", "ImplicitEuler"])
        if self.random.random() < 0.15:
            self.method = "SemiImplicitEuler"
        # Methods that keep lengths rigid ignore spring laws and stiffness.
        self.has_law = self.method not in HELD | {"Xpbd"} and kind != "parts"

    def nodes_of(self, least, most):
        nodes = int(10 ** self.random.uniform(math.log10(least), math.log10(most)))
        self.mark("nodes", f"1e{int(math.log10(nodes))}")
        return nodes

    def rope_fields(self, nodes, **more):
        chance = self.random
        fields = {"start": self.place(0, 0), "end": self.place(0.6, -1.2, 0.1), "nodes": nodes, "mass": self.mass,
                  "pins": chance.choice(["[First]", "[First, Last]"])} | more
        if "rod" not in fields:
            fields["stiffness"] = f"{self.stiffness:.4g}"
            if chance.random() < 0.2:
                fields["damping"] = 0.02
                self.mark("damping")
            if chance.random() < 0.1:
                fields["friction"] = 0.01
                self.mark("friction")
            if chance.random() < 0.12:
                fields["bending"] = f"{0.3 * self.stiffness:.4g}"
                self.mark("bending")
            if self.has_law and chance.random() < 0.18:
                fields["law"] = chance.choice(LAWS)
                self.mark("law", fields["law"].split("(")[0])
        if chance.random() < 0.1:
            fields["taper"] = "(mass: (1, 0.5))"
            self.mark("taper")
        return "(" + ", ".join(f"{name}: {value}" for name, value in fields.items()) + ")"

    def rope(self):
        more = {}
        if self.random.random() < 0.25:
            more["shape"] = f"Arc(angle: 120, toward: {self.place(1, 0.2)})"
        self.fields["rope"] = self.rope_fields(self.nodes_of(5, 4000), **more)

    def ring(self):
        more = {"shape": f"Ring(toward: {self.place(1, 0)})", "start": self.place(0, 0), "end": self.place(0, -1), "pins": "[First]"}
        self.fields["rope"] = self.rope_fields(self.nodes_of(8, 1000), **more)

    def rod(self):
        nodes = self.nodes_of(8, 400)
        length = 1.35 / nodes
        self.stiffness = 1000.0
        bending = 0.02 * self.stiffness * length ** 3
        rod = f"bending: {bending:.4g}, axial: {self.stiffness * length:.4g}"
        self.mark("rod", "bent")
        if self.space and self.random.random() < 0.5:
            rod += f", torsion: {0.7 * bending:.4g}"
            self.mark("rod", "twisted")
            if self.random.random() < 0.4:
                rod += f", bending_across: {0.5 * bending:.4g}"
                self.mark("rod", "framed")
        if self.random.random() < 0.4:
            rod += ", clamps: [(node: First)]"
        self.fields["rope"] = self.rope_fields(nodes, rod=f"({rod})")

    def cloth(self):
        rows, columns = self.random.randint(4, 45), self.random.randint(4, 45)
        self.mark("nodes", f"1e{int(math.log10(rows * columns))}")
        across, down = ((1, 0, 0), (0, -0.3, 1)) if self.space else ((1, 0, 0), (0, -1, 0))
        fields = (f"corner: {self.place(0, 0)}, across: {self.place(*across)}, down: {self.place(*down)}, rows: {rows}, columns: {columns}, "
                  f"mass: {self.mass}, stiffness: {self.stiffness:.4g}, pins: {self.random.choice(['TopCorners', 'TopEdge', 'Corners'])}")
        if self.random.random() < 0.4:
            fields += ", damping: 0.01"
            self.mark("damping")
        if self.has_law and self.random.random() < 0.15:
            law = self.random.choice(LAWS)
            fields += f", law: {law}"
            self.mark("law", law.split("(")[0])
        self.fields["cloth"] = f"({fields})"

    def net(self):
        rows, columns, strands = self.random.randint(2, 12), self.random.randint(2, 12), self.random.randint(1, 3)
        down = (0, -0.2, 1) if self.space else (0, -1, 0)
        self.fields["net"] = (f"(corner: {self.place(0, 0)}, across: {self.place(1, 0)}, down: {self.place(*down)}, rows: {rows}, columns: {columns}, "
                              f"strands: {strands}, mesh: {self.random.choice(['Square', 'Diamond'])}, mass: {self.mass}, "
                              f"stiffness: {self.stiffness:.4g}, damping: 0.01, pins: {self.random.choice(['TopCorners', 'TopEdge'])})")

    def mesh(self):
        # Meshes exist only in space.
        self.space = True
        self.mark("axes", "space")
        side = self.random.randint(5, 40)
        self.mark("nodes", f"1e{int(math.log10(side * side))}")
        self.file = ("grid.obj", grid(side))
        bending = f", bending: {0.1 * self.stiffness:.4g}" if self.random.random() < 0.4 else ""
        self.fields["mesh"] = f"(file: \"grid.obj\", pins: [0, {side - 1}], mass: {self.mass}, stiffness: {self.stiffness:.4g}, damping: 0.01{bending})"

    def graph(self):
        nodes, chance = self.random.randint(6, 120), self.random
        places = [self.place(chance.uniform(-0.5, 0.5), -0.02 * i, chance.uniform(-0.5, 0.5)) for i in range(nodes)]
        # A tree with some extra springs between its branches.
        springs = [(i, chance.randrange(max(0, i - 6), i)) for i in range(1, nodes)]
        if chance.random() < 0.6:
            springs += [tuple(chance.sample(range(nodes), 2)) for _ in range(nodes // 3)]
            self.mark("graph", "cyclic")
        else:
            self.mark("graph", "tree")
        unique = sorted({tuple(sorted(pair)) for pair in springs})
        self.fields["graph"] = (f"(nodes: [{', '.join(places)}], springs: [{', '.join(f'({a}, {b})' for a, b in unique)}], mass: {self.mass}, "
                                f"stiffness: {self.stiffness:.4g}, damping: 0.01, pins: [0])")

    def parts(self):
        nodes = self.nodes_of(5, 100)
        rope = self.rope_fields(nodes, pins="[First]")
        # The ball hangs from the rope's end by a point on its surface.
        solid = self.random.choice(["Ball(radius: 0.1)", "Capsule(radius: 0.05, length: 0.2)"] + (["Box(size: (0.2, 0.2, 0.2))"] if self.space else []))
        self.mark("solid", solid.split("(")[0])
        hung = self.place(0, 0.1)
        self.stiffness = max(self.stiffness, 300)
        at = self.place(0.6, -1.3, 0.1)
        repeat = self.random.choice([1, 1, 2, 5])
        more = f", (name: \"row\", repeat: {repeat}, shift: {self.place(0.3, 0)}, with: (rope: {rope}))" if repeat > 1 else ""
        self.fields["parts"] = (f"[(name: \"rope\", with: (rope: {rope})), (name: \"ball\", with: (solid: (shape: {solid}, mass: 0.5, at: {at}, "
                                f"points: [{hung}], stiffness: {self.stiffness:.4g}))){more}]")
        self.fields["joins"] = "[(from: (\"rope\", Last), to: (\"ball\", 1))]"

    def route(self):
        self.mark("route")
        self.fields["graph"] = (f"(nodes: [{self.place(0, -1)}, {self.place(0.62, -0.2)}], springs: [], mass: 0.2, weights: [(node: 0, mass: 3)])")
        wheels = self.random.randint(1, 3)
        guides = [f"Ring(at: {self.place(-0.08, 0)})", "Pulley(node: 0, radius: 0.08, turn: Counterclockwise)",
                  f"Pulley(at: {self.place(0.25, 0.3)}, radius: 0.1, turn: Clockwise)"]
        if self.space:
            guides = [guides[0], "Ring(node: 0)", f"Ring(at: {self.place(0.25, 0.3)})"]
        friction = self.random.random() < 0.4
        if friction:
            self.mark("route", "friction")
            guides = [guide.replace("Pulley(", "Pulley(friction: 0.1, ").replace("Ring(", "Ring(friction: 0.1, ") for guide in guides]
        self.fields["forces"] = [f"Route(to: Last, axial: 1e3, damping: 5, via: [{', '.join(guides[:wheels])}])"]

    # Methods and steps.

    def motion(self):
        chance = self.random
        method = self.method
        self.mark("method", method)
        if method in ("Pbd", "Xpbd"):
            iterations = chance.choice([2, 5, 10, 20])
            self.fields["integrator"] = f"{method}(iterations: {iterations})"
            self.mark("iterations", iterations)
        elif method in ("DormandPrince", "DormandPrince8"):
            self.fields["integrator"] = f"{method}(tolerance: {chance.choice(['1e-4', '1e-6'])})"
        else:
            self.fields["integrator"] = method
        if method not in HELD and method not in ("DormandPrince", "DormandPrince8", "ImplicitEuler", "ImplicitMidpoint", "Xpbd") and chance.random() < 0.05:
            self.fields["step_control"] = chance.choice(["StepDoubling(tolerance: 1e-4)", "StabilityLimit(safety: 0.5)"])
            self.mark("step_control", self.fields["step_control"].split("(")[0])
        stiffest = {"route": 8000.0, "cloth": 8 * self.stiffness, "mesh": 8 * self.stiffness}.get(self.kind, 4 * self.stiffness)
        self.dt = chance.uniform(0.1, 0.35) / math.sqrt(stiffest / self.mass) if self.kind != "route" else 2e-3
        if method == "ImplicitEuler":
            self.dt *= 5
        if method in HELD | {"Xpbd"}:
            self.dt = min(max(self.dt, 5e-4), 2e-3)
        self.fields["gravity"] = self.place(0, -chance.choice([1.0, 9.81]))
        if chance.random() < 0.5:
            self.fields["drag"] = 0.003
            self.mark("drag")

    def surroundings(self):
        chance, forces = self.random, self.fields.pop("forces", [])
        if self.kind in ("rope", "ring", "rod") and chance.random() < 0.2:
            flow = self.flow()
            forces.append(f"LineDrag(density: 1.2, diameter: 0.005, across: 1.2, along: 0.01{flow})")
            self.mark("line_drag", flow.split("(")[0].split(": ")[-1] or "still")
        if self.kind in ("cloth", "mesh") and self.space and chance.random() < 0.25:
            flow = self.flow()
            forces.append(f"FacetDrag(density: 0.3, pressure: 1.2, friction: 0.01, lift: 0.5{flow})")
            self.mark("facet_drag", flow.split("(")[0].split(": ")[-1] or "still")
        if chance.random() < 0.08:
            last = "(\"rope\", Last)" if self.kind == "parts" else "Last"
            forces.append(f"PointForce(node: {last}, force: {self.place(0.02, 0)})")
            self.mark("point_force")
        if forces:
            self.fields["forces"] = f"[{', '.join(forces)}]"
        self.contacts()
        if chance.random() < 0.05 and self.kind == "rope":
            self.fields["anchors"] = f"[(node: First, curve: Sine(center: {self.place(0, 0)}, amplitude: {self.place(0.1, 0)}, period: 1))]"
            self.mark("anchors")

    def flow(self):
        chance = self.random
        flows = ["", f", flow: Uniform(velocity: {self.place(1, 0)})", f", flow: Changing(curve: Gusts(mean: {self.place(1, 0)}, strength: 0.3, seed: 5))"]
        if not self.space:
            flows += [", flow: Airy(height: 0.3, period: 2, depth: 10, surface: 1)",
                      ", flow: Jonswap(height: 0.3, period: 2, depth: 10, surface: 1, waves: 40, seed: 3)"]
        return chance.choice(flows)

    def contacts(self):
        chance = self.random
        if chance.random() > 0.45 or self.kind == "route":
            return
        colliders = []
        floor = chance.choice([-0.9, -1.6, -4.0])
        for _ in range(chance.choice([1, 1, 2, 4])):
            kind = chance.choice(["Plane", "Sphere", "Capsule", "Box"] + (["Mesh"] if self.space else []))
            self.mark("collider", kind)
            center = self.place(chance.uniform(-0.5, 1), floor, chance.uniform(-0.5, 0.5))
            beside = self.place(chance.uniform(-0.5, 1), floor - 0.2, chance.uniform(-0.5, 0.5))
            friction = ", friction: 0.3" if chance.random() < 0.5 else ""
            text = {"Plane": f"Plane(point: {self.place(0, floor)}, normal: {self.place(0, 1)}{friction})",
                    "Sphere": f"Sphere(center: {center}, radius: 0.3{friction})",
                    "Capsule": f"Capsule(a: {center}, b: {beside}, radius: 0.2{friction})",
                    "Box": f"Box(center: {center}, size: {self.place(0.5, 0.5, 0.5)}{friction})",
                    "Mesh": f"Mesh(file: \"ball.obj\", place: {self.place(0.3, floor, 0)}{friction})"}[kind]
            if kind in ("Sphere", "Capsule", "Box") and chance.random() < 0.15:
                text = f"Moving(of: {text}, along: Sine(center: {self.place(0, 0)}, amplitude: {self.place(0.2, 0)}, period: 1))"
                self.mark("moving")
            colliders.append(text)
        self.mark("colliders", len(colliders))
        self.fields["colliders"] = f"[{', '.join(colliders)}]"
        # Springs of a graph and bending springs overlap, which contact of drawn shapes refuses.
        drawn = 0 if self.kind == "graph" or (self.kind in ("cloth", "net") and not self.space) else 25
        which = chance.choices(["points", "radius", "own", "drawn"], [30, 30, 15, drawn])[0]
        self.mark("contact", which)
        if which == "radius":
            self.fields["contact"] = "(radius: 0.01)"
        elif which == "own":
            self.fields["contact"] = "(radius: 0.002, thickness: 0.001)"
        elif which == "drawn":
            self.fields["contact"] = f"(of: Drawn, thickness: {chance.choice([0.001, 0.003])}{chance.choice(['', ', friction: 0.3'])})"

    # Pictures.

    def looks(self):
        chance, style = self.random, []
        if chance.random() < 0.12:
            style.append(f"color_by: {chance.choice(['Strain', 'Tension', 'Speed'])}")
            self.mark("color_by")
        if chance.random() < 0.08:
            style.append("ghosts: 5")
            self.mark("ghosts")
        if chance.random() < 0.06:
            style.append("arrows: Pins")
            self.mark("arrows")
        if chance.random() < 0.08:
            style.append("trails: [0]" if self.kind != "parts" else "trails: [(\"rope\", Last)]")
            self.mark("trails")
        if self.kind in ("cloth", "mesh") and chance.random() < 0.4:
            surface = chance.choice(["Wires", "Facets"])
            style.append(f"surface: {surface}")
            self.mark("surface", surface)
        if self.space and chance.random() < 0.3 and self.kind in ("rope", "ring", "rod"):
            style.append("thickness: 0.02")
            self.mark("thickness")
        if chance.random() < 0.3:
            style.append(f"line_width: {chance.choice([1, 3, 8])}, node_size: {chance.choice([1, 6])}")
        if style:
            self.fields["style"] = f"({', '.join(style)})"
        if self.space and chance.random() < 0.6:
            self.fields["camera"] = "(eye: (1.5, 0.6, 2.6), target: (0.3, -0.6, 0))"
            self.mark("camera")
        if self.space and chance.random() < 0.5:
            self.fields["ground"] = "(height: -2, size: 4)"
            self.mark("ground")
        if chance.random() < 0.04:
            self.fields["motion_blur"] = f"(samples: {chance.choice([4, 8])})"
            self.mark("motion_blur")

    def panels(self):
        count = self.random.choices([1, 2, 4, 9, 32], [65, 15, 10, 6, 4])[0]
        self.mark("panels", count)
        self.count = count
        path = self.random.choice(["drag", "substeps"])
        values = {"drag": [f"{0.001 + 0.0005 * i:.4g}" for i in range(count)]}.get(path)
        self.varied = [] if count == 1 or values is None else [f"(with: (drag: {value}))" for value in values]
        if count > 1 and values is None:
            self.varied = [f"(with: (integrator: {self.fields['integrator']}, velocities: [(velocity: {self.place(0.001 * i, 0)})]))" for i in range(count)]

    def text(self, frames, substeps):
        fields = self.fields | {"frames": frames, "substeps": substeps, "frame_time": f"{self.dt * substeps:.6g}"}
        base = ",\n    ".join(f"{name}: {value}" for name, value in fields.items())
        panels = f", panels: [{', '.join(self.varied)}]" if self.varied else ""
        return f"Scene(base: (\n    {base}){panels})\n"


def grid(side):
    """A square of triangles in the xz plane, as OBJ."""
    lines = [f"v {column / (side - 1)} 0 {row / (side - 1)}" for row in range(side) for column in range(side)]
    for row in range(side - 1):
        for column in range(side - 1):
            a = row * side + column + 1
            lines += [f"f {a} {a + 1} {a + side}", f"f {a + 1} {a + side + 1} {a + side}"]
    return "\n".join(lines) + "\n"


def ball(rings=12, around=18, radius=0.3):
    """A closed ball of triangles, as OBJ."""
    lines = ["v 0 %g 0" % radius]
    for ring in range(1, rings):
        angle = math.pi * ring / rings
        lines += ["v %.6f %.6f %.6f" % (radius * math.sin(angle) * math.cos(2 * math.pi * k / around), radius * math.cos(angle),
                                       radius * math.sin(angle) * math.sin(2 * math.pi * k / around)) for k in range(around)]
    lines.append("v 0 %g 0" % -radius)
    last = 2 + (rings - 1) * around
    for k in range(around):
        following = (k + 1) % around
        lines.append(f"f 1 {2 + following} {2 + k}")
        lines.append(f"f {last} {last - around + k} {last - around + following}")
        for ring in range(rings - 2):
            a, b = 2 + ring * around + k, 2 + ring * around + following
            lines += [f"f {a} {b} {a + around}", f"f {b} {b + around} {a + around}"]
    return "\n".join(lines) + "\n"


# Measurement.

def user_seconds(command, folder):
    """Returns user time, exit code and messages of a process; the time is `None` if the process was killed."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=open(folder / "said", "w"),
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (ENDED, ENDED)))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    said = (folder / "said").read_text(errors="replace")
    return (None if process.returncode < 0 else usage.ru_utime), process.returncode, said


def command_of(scene, program):
    file = ["scene.ron", "--threads", "1"]
    return {"trace": [program, "trace", "scene.ron"],
            "film": [program, "render", *file, "--film", "film.mp4", "-q"],
            "frames": [program, "render", *file, "--no-steady", "--out", "frames", "-q"],
            "render": [program, "render", *file, "--out", "frames", "-q"]}[scene.command]


BILLED = {"trace": "trace", "film": "film (mp4)", "frames": "frames", "render": "frames and rest"}
OPERATION = re.compile(r"      ([A-Za-z]+): ([0-9]+) times ([0-9.e]+) ns")


def price(scene, program, folder):
    """Returns the price in seconds from `catena check --prices`, the operations with their counts and prices, and errors."""
    run = subprocess.run([program, "check", "scene.ron", "--unlimited", "--prices"], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        return None, {}, run.stderr
    part = run.stdout.split(f"\n    {BILLED[scene.command]}: ")[1].splitlines()
    operations = {}
    for line in part[1:]:
        found = OPERATION.fullmatch(line)
        if not found:
            break
        operations[found[1]] = [int(found[2]), float(found[3])]
    return 1e-9 * sum(count * each for count, each in operations.values()), operations, ""


def write(scene, folder, frames, substeps):
    (folder / "scene.ron").write_text(scene.text(frames, substeps))
    if hasattr(scene, "file"):
        (folder / scene.file[0]).write_text(scene.file[1])
    if "ball.obj" in scene.fields.get("colliders", ""):
        (folder / "ball.obj").write_text(ball())


def measure(seed, arguments):
    """Builds a scene, lengthens it to a random duration, and returns a row with its time and its price, or with `failed`."""
    scene = Scene(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        frames, substeps, took = scene.frames, 4, None
        wanted = 10 ** scene.random.uniform(math.log10(0.07), math.log10(arguments.longest))
        for _ in range(5):
            write(scene, folder, frames, substeps)
            subprocess.run(["rm", "-rf", "frames", "film.mp4"], cwd=folder, check=True)
            took, code, said = user_seconds(command_of(scene, arguments.program), folder)
            if took is None or (code not in (0, 4) and "takes more" not in said):
                break
            start = 0.008
            if took - start >= 0.6 * wanted or (substeps >= 200_000 and frames >= 3000):
                break
            # Films are lengthened in frames, then in steps; tables only in steps.
            growth = min(60.0, max(1.5, (wanted - start) / max(took - start, 0.002)))
            if scene.command == "trace":
                substeps = min(int(substeps * growth) + 1, 500_000)
            else:
                more = min(growth, 3.0) if frames < 300 else 1.0
                frames, substeps = int(frames * more), min(int(substeps * growth / more) + 1, 20_000)
        row = {"seed": seed, "features": scene.features, "command": scene.command, "frames": frames, "substeps": substeps, "text": scene.text(frames, substeps)}
        if took is None or code not in (0, 4):
            return row | {"failed": said[:600] or f"ended after {ENDED} s"}
        for _ in range(arguments.runs - 1):
            subprocess.run(["rm", "-rf", "frames", "film.mp4"], cwd=folder, check=True)
            again, _, _ = user_seconds(command_of(scene, arguments.program), folder)
            took = min(took, again or took)
        row |= {"took": took, "said": said[:300]}
        if not arguments.measure:
            row["priced"], row["operations"], row["unpriced"] = price(scene, arguments.priced_by, folder)
        return row


def priced_again(row, arguments):
    scene = Scene(row["seed"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(scene, folder, row["frames"], row["substeps"])
        (folder / "scene.ron").write_text(row["text"])
        row["priced"], row["operations"], row["unpriced"] = price(scene, arguments.priced_by, folder)
    return row


# Report.

def quantile(numbers, share):
    return numbers[min(len(numbers) - 1, int(share * len(numbers)))]


def report(rows, arguments):
    failed = [row for row in rows if "failed" in row or not row.get("priced")]
    counted = [row for row in rows if row not in failed and SHORTEST <= row["took"] <= ENDED]
    if not counted:
        return print("no valid scene; first failures:", failed[:3])
    for row in counted:
        row["ratio"] = row["priced"] / row["took"]
    for row in sorted(counted, key=lambda row: row["ratio"]):
        if arguments.verbose:
            features = " ".join(f"{name}={value}" for name, value in row["features"].items())
            print(f"{row['ratio']:8.3f}  {row['took']:7.3f} s  {row['seed']}  {features}")
    ratios = sorted(row["ratio"] for row in counted)
    within = sum(1 / FACTOR <= ratio <= FACTOR for ratio in ratios)
    print(f"{len(counted)} scenes ({len(rows) - len(counted)} not counted, {len(failed)} of them failed)")
    print("price over time: " + ", ".join(f"{100 * share:g} %: {quantile(ratios, share):.3g}" for share in (0, 0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975, 1)))
    print(f"within a factor of {FACTOR:g}: {within} of {len(ratios)}, {100 * within / len(ratios):.1f} %")
    groups = collections.defaultdict(list)
    for row in counted:
        for name, value in row["features"].items():
            groups[f"{name}={value}"].append(row["ratio"])
    shares = []
    for name, found in groups.items():
        found.sort()
        missed = sum(not 1 / FACTOR <= ratio <= FACTOR for ratio in found)
        shares.append((missed / len(found), missed, len(found), name, quantile(found, 0.1), quantile(found, 0.5), quantile(found, 0.9)))
    print("worst features: missed, of, 10 %, median and 90 % of the ratio")
    for _, missed, of, name, low, middle, high in sorted(shares, reverse=True)[:arguments.worst]:
        print(f"  {name:36} {missed:4} {of:4}   {low:8.3g} {middle:8.3g} {high:8.3g}")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(REPOSITORY / "target/release/catena"))
    parser.add_argument("--priced-by")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=2, help="runs of each scene; the shortest counts")
    parser.add_argument("--longest", type=float, default=1.2, help="maximum user seconds to which scenes are lengthened; smaller on a busy machine")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--worst", type=int, default=30)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--again", type=pathlib.Path)
    parser.add_argument("--measure", action="store_true", help="only measure, for a later --again")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    arguments.priced_by = str(pathlib.Path(arguments.priced_by or arguments.program).resolve())
    arguments.program = str(pathlib.Path(arguments.program).resolve())
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.again:
            before = [json.loads(line) for line in arguments.again.read_text().splitlines()]
            rows = list(pool.map(lambda row: row if "failed" in row else priced_again(row, arguments), before))
            if arguments.keep:
                arguments.keep.write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            seeds = [arguments.seed * 1_000_000 + index for index in range(arguments.count)]
            rows = []
            for row in pool.map(lambda seed: measure(seed, arguments), seeds):
                rows.append(row)
                if arguments.keep:
                    with arguments.keep.open("a") as kept:
                        kept.write(json.dumps(row) + "\n")
    for row in rows:
        if "failed" in row and arguments.verbose:
            print(row["seed"], row["failed"], file=sys.stderr)
    if not arguments.measure:
        report(rows, arguments)


if __name__ == "__main__":
    main()
