"""Peak memory of the commands of catena, per node and per variant: the table of `run.py --memory`.

Each command runs with two sizes of rope, and each sweep also with two numbers of variants. The difference of both peaks over the
difference of the sizes is the memory of one node or variant; the start of the program cancels out. A panel is a
variant, too. The peak is the maximum resident
memory of the process (ru_maxrss of wait4). Linux includes the memory of the parent at the start of a child, so a small process
starts each command.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

# Nodes of the two ropes. Commands that take longer per node have smaller ones.
LARGE, MEDIUM, SMALL = (1000, 100_000), (1000, 10_000), (200, 1000)
VARIANTS, PANELS = (1024, 32_768), (4, 64)
# Commands: sizes, and the words after the name. SCENE is a rope, FRAMES a folder of its frames, TABLE its trace.
COMMANDS = {
    "check": (LARGE, ["SCENE"]),
    "fmt": (LARGE, ["--check", "SCENE"]),
    "trace": (LARGE, ["SCENE", "-o", "OUT.csv"]),
    "trace --energy": (LARGE, ["SCENE", "-o", "OUT.csv"]),
    "trace --tensions": (LARGE, ["SCENE", "-o", "OUT.csv"]),
    "trace --format npy": (LARGE, ["SCENE", "-o", "OUT.npy"]),
    "render": (LARGE, ["SCENE", "--out", "OUT", "--no-steady", "-q", "--threads", "1"]),
    "render, steady state": (LARGE, ["SCENE", "--out", "OUT", "-q", "--threads", "1"]),
    "render --film": (LARGE, ["OUT.mp4", "SCENE", "--no-steady", "-q", "--threads", "1"]),
    "film": (LARGE, ["FRAMES", "-o", "OUT.mp4", "-q"]),
    "export --format glb": (LARGE, ["SCENE", "-o", "OUT.glb"]),
    "export --format usda": (LARGE, ["SCENE", "-o", "OUT.usda"]),
    "export --format vtp": (LARGE, ["SCENE", "-o", "OUT"]),
    "diff": (LARGE, ["TABLE", "TABLE"]),
    "page": (LARGE, ["SCENE", "-o", "OUT.html"]),
    "stability": (MEDIUM, ["SCENE", "--threads", "1"]),
    "statics": (MEDIUM, ["SCENE"]),
    "statics --modes": (SMALL, ["4", "SCENE", "-o", "OUT.png"]),
    "figure energy": (MEDIUM, ["SCENE", "energy", "-o", "OUT.svg"]),
    "report": (MEDIUM, ["SCENE", "--out", "OUT"]),
    "fit": (MEDIUM, ["SCENE", "--data", "TABLE", "--vary", "drag"]),
    "identify": (SMALL, ["TABLE", "SCENE"]),
    "sweep": (LARGE, ["SCENE", "--axis", "drag=[0.01, 0.02]", "--out", "OUT", "-q", "--threads", "1"]),
    "sweep, variants": (VARIANTS, ["SCENE", "--axis", "drag=Log(0.001, 0.1, COUNT)", "--out", "OUT", "-q", "--threads", "1"]),
}
# Rows of panels: the same commands with a scene of several ropes.
COMMANDS |= {
    "check, panels": (PANELS, ["SCENE"]),
    "trace, panels": (PANELS, ["SCENE", "-o", "OUT.csv"]),
    "render, panels": (PANELS, COMMANDS["render"][1]),
    "export --format glb, panels": (PANELS, ["SCENE", "-o", "OUT.glb"]),
    "stability, panels": (PANELS, ["SCENE", "--threads", "1"]),
    "statics, panels": (PANELS, ["SCENE"]),
    "report, panels": (PANELS, ["SCENE", "--out", "OUT"]),
}
# Nodes of a rope that is swept or has a panel, number of runs per size, and the maximum seconds of a command.
SWEPT, RUNS, PATIENCE = 16, 3, 100
# Commands that do not take --unlimited.
LIMITED = {"check", "fmt", "film", "diff"}
FRAMES = 3
# Starts a command and prints its exit code and peak in KiB.
LAUNCHER = """
import os, sys
null = os.open(os.devnull, os.O_RDWR)
log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 0),
    (os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


class Failed(Exception):
    """A command that failed, with its last message."""


def scene(nodes, panels=None):
    """A rope that hangs from its first node, with the step and stiffness of scenes/compare.ron, or panels with such ropes."""
    each = ", ".join(f"(label: \"{index}\", with: (drag: {0.01 + 0.001 * index!r}))" for index in range(panels or 0))
    return f"""Scene({f"panels: [{each}], " if panels else ""}base: (
    frames: {FRAMES}, frame_time: 1, substeps: 64, gravity: (0, -1), drag: 0.01,
    rope: (start: (0, 0), end: ({-25 * (nodes - 1)}, 0), nodes: {nodes}, stiffness: 100, mass: 1, pins: [First]),
    integrator: SemiImplicitEuler, rest: (limit: {FRAMES}),
))
"""


class Memory:
    """Runs of commands in fresh folders."""

    def __init__(self, program, folder):
        self.program, self.folder, self.count = program, pathlib.Path(folder), 0

    def run(self, words):
        """Peak memory of a command in bytes."""
        log = self.folder / "log"
        command = [sys.executable, "-IS", "-c", LAUNCHER, log, self.program, *words]
        child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True, cwd=self.folder,
                                 start_new_session=True)
        try:
            told, _ = child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.communicate()
            raise Failed(f"took more than {PATIENCE} s") from None
        code, peak = map(int, told.split())
        # Exit code 1 is a finding: pictures that differ, or data that do not fit.
        if code not in (0, 1):
            said = log.read_text(errors="replace").strip().splitlines()
            raise Failed(f"exit code {code}: {said[0][:160] if said else ''}")
        return 1024 * peak

    def peak(self, name, words, nodes, count=None, panels=None):
        """Peak of a command for a rope of this many nodes, in a fresh folder, with this many variants or panels."""
        self.count += 1
        place = self.folder / f"run{self.count}"
        place.mkdir()
        path = place / "rope.ron"
        path.write_text(scene(nodes, panels))
        known = {"SCENE": path, "FRAMES": place / "frames", "TABLE": place / "table.csv"}
        if "FRAMES" in words:
            self.run(["render", path, "--out", known["FRAMES"], "--no-steady", "-q", "--unlimited"])
        if "TABLE" in words:
            self.run(["trace", path, "-o", known["TABLE"], "--unlimited"])
        command, *options = name.split(", ")[0].split()
        own = [known.get(word, word) for word in words]
        own = [place / word if str(word).startswith("OUT") else str(word).replace("COUNT", str(count)) for word in own]
        limits = [] if command in LIMITED else ["--unlimited"]
        if command == "figure":
            # The name of the figure is among the words.
            options = []
        return self.run([command, *options, *own, *limits])


def measure(memory, name):
    """A row of the table: medians of some runs, and the scatter of the difference."""
    sizes, words = COMMANDS[name]
    if sizes is VARIANTS:
        run, what = (lambda size: memory.peak(name, words, SWEPT, count=size)), f"variants of {SWEPT} nodes"
    elif sizes is PANELS:
        run, what = (lambda size: memory.peak(name, words, SWEPT, panels=size)), f"panels of {SWEPT} nodes"
    else:
        run, what = (lambda size: memory.peak(name, words, size)), "nodes"
    peaks = [[run(size) for _ in range(RUNS)] for size in sizes]
    small, large = map(statistics.median, peaks)
    apart = sizes[1] - sizes[0]
    scatter = sum(max(some) - min(some) for some in peaks) / apart
    each = (large - small) / apart
    shown = f"{each:,.0f} ± {scatter:,.0f}" if abs(each) > scatter else f"less than {abs(each) + scatter:,.0f}"
    texts = [f"{peak / 2**20:.1f} MiB" for peak in (small, large)]
    return f"| `{name}` | {sizes[0]:,} and {sizes[1]:,} {what} | {texts[0]} | {texts[1]} | {shown} |"


def commands(text):
    """Parses the names of commands, separated by commas: each name stands for all rows that begin with it."""
    chosen = [name for name in COMMANDS if any(name.startswith(word) for word in text.split(","))]
    if not chosen:
        raise ValueError
    return chosen


def show(program, chosen):
    """Measures the chosen commands and prints the table."""
    print(f"| command | sizes, {FRAMES} frames | peak, smaller | peak, larger | bytes per node, variant or panel |")
    print("| --- | --- | --- | --- | --- |")
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="memory-") as folder:
            print(f"# {name}", file=sys.stderr, flush=True)
            try:
                print(measure(Memory(program, folder), name), flush=True)
            except Failed as reason:
                print(f"| `{name}` | not measured: {reason} | | | |", flush=True)
