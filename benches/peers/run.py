#!/usr/bin/env python3
"""Compares catena with the programs that a user would use instead, and prints a table of goals.

    python3 benches/peers/run.py [--rows 1,2,3] [--pairs 7] [--catena PATH]
    python3 benches/peers/run.py --peers [rope,cloth]     # simulators and renderers, each with its own best settings
    python3 benches/peers/run.py --memory [render,sweep]  # peak memory of commands per node and per variant

Runs are interleaved (catena, peer, catena, peer, …), and the result is the median of the ratios of the pairs.
README.md in this folder describes the peers and the rows. The script needs only the standard library.
"""

import argparse
import dataclasses
import glob
import json
import os
import pathlib
import platform
import shlex
import shutil
import statistics
import struct
import sys
import tempfile
import time

import memory
from jobs import table

HERE = pathlib.Path(__file__).resolve().parent
MATPLOTLIB = "matplotlib==3.11.2"
SCENE = "scenes/compare.ron"

WORK = {
    1: "main job, one thread, and matplotlib savefig",
    2: "main job, one thread, and OpenCV from C++",
    3: "main job, and image + imageproc written the obvious way",
    4: "main job with one thread and with two",
    5: "draw and encode a frame, and one memcpy of the raw frame",
    6: "rendering into an old folder and into a fresh one",
    7: "first frame of a fresh process, and of the obvious program",
    8: "constraint Verlet and the plain loop in spring order, same bits",
    9: "semi-implicit Euler at 1M nodes",
    10: "1,024 variants of a 16-node rope and the plain loop, one thread",
    11: "cloth 256x256 and its plain loop, same bits",
    12: "implicit Euler, per node and step, at 1M and at 1k nodes",
    13: "memory",
}
# Rows that catena's own benchmark program measures.
KERNEL_ROWS = {5, 8, 9, 10, 11, 12}


class Unavailable(Exception):
    """The reason why a row cannot be measured."""


@dataclasses.dataclass
class Result:
    """One row of the table."""

    row: int
    case: str
    goal: str
    value: float = float("nan")
    unit: str = ""
    pairs: list = dataclasses.field(default_factory=list)
    note: str = ""

    def verdict(self):
        if self.value != self.value:
            return "not measured"
        relation, bound = self.goal.split()
        bound = float(bound)
        is_met = self.value >= bound if relation == ">=" else self.value <= bound
        return "met" if is_met else "**missed**"


def say(text):
    print(f"# {text}", file=sys.stderr, flush=True)


# Running


@dataclasses.dataclass
class Run:
    seconds: float
    # Peak resident memory. Linux includes the memory of this script at the start of the child, so small
    # values are overestimates.
    peak_bytes: int
    output: str


def run(command, folder=None):
    """Runs a program to its end. Returns the wall time of the whole process, peak memory and standard output."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)]
        words = [str(word) for word in command]
        back = os.getcwd()
        os.chdir(folder or back)
        try:
            start = time.perf_counter()
            child = os.posix_spawnp(words[0], words, os.environ, file_actions=streams)
            _, status, usage = os.wait4(child, 0)
            seconds = time.perf_counter() - start
        except OSError as error:
            raise Unavailable(f"{words[0]} cannot be run: {error}") from error
        finally:
            os.chdir(back)
        out.seek(0)
        err.seek(0)
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            said = err.read().decode(errors="replace").strip()[-300:]
            raise Unavailable(f"`{shlex.join(words)}` ended with {code}: {said}")
        return Run(seconds, usage.ru_maxrss * 1024, out.read().decode(errors="replace"))


def tell(command, folder=None):
    """Prints and runs a step of a build."""
    say(shlex.join(str(word) for word in command))
    return run(command, folder)


def version(command):
    try:
        return run(command).output.strip().splitlines()[0]
    except (Unavailable, IndexError):
        return "not found"


# The measured programs, built on first use


class Programs:
    def __init__(self, options):
        self.options = options
        self.repository = pathlib.Path(options.repository).resolve()
        self.target = pathlib.Path(options.target or self.repository / "target/peers").resolve()
        self.target.mkdir(parents=True, exist_ok=True)
        self.built = {}

    def get(self, name):
        """Returns the command of a program. A failed build is not retried."""
        if name not in self.built:
            try:
                self.built[name] = getattr(self, name)()
            except Unavailable as reason:
                self.built[name] = reason
        if isinstance(self.built[name], Unavailable):
            raise self.built[name]
        return self.built[name]

    def catena(self):
        if self.options.catena:
            return [pathlib.Path(self.options.catena).resolve()]
        tell(["cargo", "build", "--release", "--bin", "catena"], self.repository)
        target = os.environ.get("CARGO_TARGET_DIR", self.repository / "target")
        return [self.repository / target / "release/catena"]

    def matplotlib(self):
        python = self.target / "venv/bin/python"
        name, wanted = MATPLOTLIB.split("==")
        if version([python, "-c", f"import {name}; print({name}.__version__)"]) != wanted:
            tell([sys.executable, "-m", "venv", self.target / "venv"])
            tell([python, "-m", "pip", "install", "--quiet", MATPLOTLIB])
        ticks = ["--ticks"] if self.options.matplotlib_ticks else []
        return [python, HERE / "matplotlib_savefig.py", *ticks]

    def opencv(self):
        if version(["pkg-config", "--modversion", "opencv4"]) == "not found":
            install = ["apt-get", "install", "-y", "--no-install-recommends"]
            install += ["libopencv-dev", "pkg-config"]
            if os.geteuid() != 0 or not shutil.which("apt-get"):
                raise Unavailable(f"OpenCV is missing; install it with: {shlex.join(install)}")
            tell(["apt-get", "update"])
            tell(install)
        tell(["make", "-C", HERE / "opencv_cpp", f"OUT={self.target}"])
        return [self.target / "opencv_cpp"]

    def obvious(self):
        manifest = HERE / "obvious_rust/Cargo.toml"
        build = ["cargo", "build", "--release", "--locked", "--manifest-path", manifest]
        tell([*build, "--target-dir", self.target / "obvious_rust"])
        return [self.target / "obvious_rust/release/obvious_rust"]

    def homework(self):
        tell(["make", "-C", HERE / "homework_cpp", f"OUT={self.target}"])
        return [self.target / "homework_cpp"]

    def memcpy(self):
        tell([os.environ.get("CC", "cc"), "-O3", HERE / "memcpy.c", "-o", self.target / "memcpy"])
        return [self.target / "memcpy"]


def check_frames(folder, count):
    """Checks that a program has written all frames in full size."""
    frames = sorted(glob.glob(f"{folder}/frame_*.png"))
    if len(frames) != count:
        raise Unavailable(f"{len(frames)} frames instead of {count}")
    for name in (frames[0], frames[-1]):
        with open(name, "rb") as file:
            if struct.unpack(">II", file.read(24)[16:24]) != (1280, 720):
                raise Unavailable(f"{name} is not 1280x720")


class Bench:
    def __init__(self, options, programs, scratch):
        self.options, self.programs, self.scratch = options, programs, scratch
        self.fresh = 0

    def done(self, folder):
        """Keeps pictures until all rows are measured. When a file is created, some file systems scan past recently freed names
        and inodes, so a removal would slow down the next run."""
        free = shutil.disk_usage(self.scratch).free
        if free < 4 << 30:
            shutil.rmtree(folder)

    def frames(self):
        return f"{self.options.frames} frames"

    def folder(self):
        """An unused path."""
        self.fresh += 1
        return self.scratch / f"out{self.fresh}"

    def timed(self, command, folder, frames):
        """Measures one run. The output of earlier runs is flushed to disk first, so no run pays for another."""
        os.sync()
        result = run(command, self.programs.repository)
        check_frames(folder, frames)
        return result

    def catena(self, threads=1, frames=None, out=None, extra=()):
        """Measures one render into a fresh folder, which is then removed, or into `out`, which is kept."""
        folder = out or self.folder()
        frames = frames or self.options.frames
        command = [*self.programs.get("catena"), "render", SCENE, "--frames", frames]
        command += ["--threads", threads, "--out", folder, "-q", *extra]
        result = self.timed(command, folder, frames)
        if "--no-steady" not in extra and not (folder / "steady.png").exists():
            raise Unavailable("catena wrote no steady.png")
        if not out:
            self.done(folder)
        return result

    def matplotlib(self, frames=None):
        folder = self.folder()
        frames = frames or self.options.frames
        command = [*self.programs.get("matplotlib"), "--frames", frames, "--out", folder]
        result = self.timed([*command, "--verbose"], folder, frames)
        self.done(folder)
        return result

    def peer(self, name, frames=None):
        folder = self.folder()
        frames = frames or self.options.frames
        result = self.timed([*self.programs.get(name), folder, frames], folder, frames)
        self.done(folder)
        return result

    def interleave(self, row, case, goal, first, second, pairs=None):
        """Returns the row for the time of `second` over the time of `first`, and all runs."""
        times = []
        for _ in range(pairs or self.options.pairs):
            times.append((first(), second()))
            a, b = times[-1]
            say(f"row {row} {case}: {seconds(a.seconds)} and {seconds(b.seconds)}")
        ratios = [b.seconds / a.seconds for a, b in times]
        result = Result(row, case, goal, statistics.median(ratios), "x", ratios)
        medians = (statistics.median(run.seconds for run in column) for column in zip(*times))
        result.note = " and ".join(map(seconds, medians))
        return result, times

    # The rows

    def row_1(self):
        self.catena(frames=1), self.matplotlib(frames=1)
        result, times = self.interleave(1, self.frames(), ">= 120", self.catena, self.matplotlib)
        parts = [json.loads(b.output) for _, b in times]
        shares = [part["simulation"] / part["seconds"] for part in parts]
        drawing = [ratio * (1 - share) for ratio, share in zip(result.pairs, shares)]
        result.note += (
            f"; {100 * statistics.median(shares):.1f}% of matplotlib's is its simulation, "
            f"{statistics.median(drawing):.0f}x without it"
        )
        yield result

    def row_2(self):
        self.catena(frames=1), self.peer("opencv", 1)
        yield self.interleave(
            2, self.frames(), ">= 22", self.catena, lambda: self.peer("opencv"))[0]

    def row_3(self):
        self.catena(frames=1), self.peer("obvious", 1)
        peer = lambda: self.peer("obvious")
        yield self.interleave(3, "one thread", ">= 5", self.catena, peer)[0]
        yield self.interleave(3, "two threads", ">= 9", lambda: self.catena(2), peer)[0]

    def row_4(self):
        self.catena(frames=1)
        yield self.interleave(
            4, "two threads, one thread", ">= 1.6", lambda: self.catena(2), self.catena)[0]

    def row_6(self):
        self.catena(frames=1)
        folder = None

        def over():
            nonlocal folder
            result = self.catena(out=folder)
            self.done(folder)
            return result

        def fresh():
            nonlocal folder
            folder = self.folder()
            return self.catena(out=folder)

        # The first render creates the folder, and the second one finds it.
        yield self.interleave(6, self.frames(), "<= 1.15", fresh, over)[0]

    def row_7(self):
        first = lambda: self.catena(frames=1, extra=["--no-steady"])
        peer = lambda: self.peer("obvious", 1)
        first(), peer()
        # These runs take a few milliseconds, so there are more pairs. The peer comes first because the goal
        # limits how much slower catena is.
        pairs = 5 * self.options.pairs
        yield self.interleave(7, "1 frame, no steady.png", "<= 2", peer, first, pairs)[0]

    def row_13(self):
        peak = max(self.catena().peak_bytes for _ in range(3))
        yield Result(13, "main job, peak", "<= 64", peak / 2**20, " MiB")
        nodes, frames = 1_000_000, 2
        scene = self.scratch / "long.ron"
        scene.write_text(
            "Scene(base: (gravity: (0, -1), substeps: 4, rope: (start: (0, 0), end: (-1000000, 0), "
            "nodes: NODES, stiffness: 100, mass: 1, pins: [0])), "
            "panels: [(label: \"rope\", with: (integrator: SemiImplicitEuler, drag: 0.01))])"
        )
        text, peaks = scene.read_text(), []
        for count in (16, nodes):
            scene.write_text(text.replace("NODES", str(count)))
            folder = self.folder()
            command = [*self.programs.get("catena"), "render", scene, "--frames", frames]
            command += ["--threads", 1, "--no-steady", "--unlimited", "--out", folder, "-q"]
            peaks.append(self.timed(command, folder, frames).peak_bytes)
            self.done(folder)
        each = (peaks[1] - peaks[0]) / nodes
        note = f"{peaks[1] / 2**20:.0f} MiB, and {peaks[0] / 2**20:.0f} MiB with 16 nodes"
        yield Result(13, "rope of 1M nodes, rendered", "<= 400", each, " bytes a node", note=note)

    # The rows that catena's own benchmark program measures

    def kernel_lines(self, rows):
        """Runs the benchmark program and returns the JSON objects among the lines of its output."""
        if self.options.kernels_json:
            text = pathlib.Path(self.options.kernels_json).read_text()
        else:
            command = shlex.split(self.options.kernels)
            command += ["--rows", ",".join(map(str, sorted(rows)))]
            text = tell(command, self.programs.repository).output
        lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        if not lines:
            raise Unavailable("the benchmark program printed no JSON lines")
        return [line for line in lines if line.get("row") in rows]

    def beside(self, names):
        """Measures these peers once, in nanoseconds: "memcpy 1280x720", "homework euler 1048576"."""
        found = {}
        for name in names:
            program, *words = name.split()
            if program == "memcpy":
                lines = run(self.programs.get("memcpy")).output.splitlines()
                by_size = {line["size"]: line for line in map(json.loads, lines)}
                if words[0] not in by_size:
                    raise Unavailable(f"no such peer: {name}")
                found[name] = by_size[words[0]]["nanoseconds"]
            elif program == "homework":
                method, nodes = words
                # About 0.2 s.
                steps = max(4, 20_000_000 // int(nodes))
                line = run([*self.programs.get("homework"), method, nodes, steps]).output
                found[name] = json.loads(line)["nanoseconds"]
            else:
                raise Unavailable(f"no such peer: {name}")
        return found

    def kernels(self, rows):
        """Returns the results of these rows. A time is compared with its peer once per pair."""
        lines = self.kernel_lines(rows)
        for line in lines:
            if "ratio" in line:
                unit = line.get("unit", "x")
                note = line.get("note", "")
                case, goal = line["case"], line["goal"]
                yield Result(line["row"], case, goal, line["ratio"], unit, note=note)
        timed = [line for line in lines if "nanoseconds" in line]
        if not timed:
            return
        names = sorted({line["beside"] for line in timed})
        rounds = [(timed, self.beside(names))]
        while len(rounds) < self.options.pairs and not self.options.kernels_json:
            again = self.kernel_lines({line["row"] for line in timed})
            rounds.append(([line for line in again if "nanoseconds" in line], self.beside(names)))
        for line in timed:
            key, name = (line["row"], line["case"]), line["beside"]
            pairs = [
                (own["nanoseconds"], peers[name])
                for lines, peers in rounds for own in lines if (own["row"], own["case"]) == key
            ]
            # A goal of ">=" is a minimum speed-up over the peer; "<=" is a maximum multiple of its time.
            is_faster = line["goal"].startswith(">=")
            ratios = [b / a if is_faster else a / b for a, b in pairs]
            result = Result(*key, line["goal"], statistics.median(ratios), "x", ratios)
            ours, theirs = (statistics.median(column) for column in zip(*pairs))
            result.note = f"{seconds(ours / 1e9)} and {seconds(theirs / 1e9)} ({name})"
            yield result


# The report


def seconds(value):
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def machine():
    """Processor, cores, memory and instruction set."""
    model, flags = platform.processor() or platform.machine(), set()
    try:
        for line in open("/proc/cpuinfo"):
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                model = value.strip()
            elif name.strip() == "flags":
                flags = set(value.split())
    except OSError:
        pass
    known = (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse2", "SSE2"))
    best = next((name for flag, name in known if flag in flags), "unknown")
    limit = os.environ.get("CATENA_INSTRUCTIONS")
    best += f", limited to {limit} by CATENA_INSTRUCTIONS" if limit else ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB; widest instruction set: {best}"


def versions(programs):
    yield f"system: {platform.system()} {platform.release()}"
    for name, words in (("catena", ["--version"]), ("matplotlib", None), ("opencv", None)):
        built = programs.built.get(name)
        if not built or isinstance(built, Unavailable):
            continue
        if name == "matplotlib":
            code = "import sys, matplotlib as m, numpy as n, PIL as p; print('matplotlib', "
            code += "m.__version__, 'numpy', n.__version__, 'Pillow', p.__version__, 'Python', "
            yield version([built[0], "-c", code + "sys.version.split()[0])"])
        elif name == "opencv":
            yield f"OpenCV {version(['pkg-config', '--modversion', 'opencv4'])}"
        else:
            head = version(["git", "-C", programs.repository, "describe", "--always", "--dirty"])
            given = " (given with --catena)" if programs.options.catena else ""
            yield f"{version([*built, *words])}{given}, repository at {head}"
    crates = {"image", "imageproc", "png", "ab_glyph"}
    lock = (HERE / "obvious_rust/Cargo.lock").read_text().split("[[package]]")
    found = (part.split('"')[1::2][:2] for part in lock[1:])
    yield "obvious_rust: " + ", ".join(" ".join(pair) for pair in found if pair[0] in crates)
    yield version(["rustc", "--version"])
    yield version(["g++", "--version"])


def report(results, programs, options, load):
    print("# catena compared with its peers\n")
    print(f"- {machine()}")
    for line in versions(programs):
        print(f"- {line}")
    print(f"- {options.pairs} pairs per row, interleaved; medians of the ratios of the pairs")
    now = os.getloadavg()[0]
    print(f"- load of the machine: {load:.2f} at the start, {now:.2f} at the end")
    if load > 0.5:
        print("- **the machine was busy: times and ratios are unreliable**")
    if options.frames != 600:
        print("- **goals apply to 600 frames; this run had another number of frames**")
    print("\n| # | work | case | goal | measured | pairs from-to | times and notes | verdict |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for r in results:
        value = "-" if r.value != r.value else f"{number(r.value)}{r.unit}"
        spread = f"{number(min(r.pairs))}-{number(max(r.pairs))}" if r.pairs else ""
        goal = f"{r.goal}{r.unit}"
        print(f"| {r.row} | {WORK[r.row]} | {r.case} | {goal} | {value} | {spread} | {r.note} "
              f"| {r.verdict()} |")


def measure(options, programs, scratch):
    bench = Bench(options, programs, scratch)
    results = []

    def collect(row, lines):
        try:
            for result in lines:
                say(f"row {result.row} {result.case}: {result.value:.4g}{result.unit}")
                results.append(result)
        except Unavailable as reason:
            say(f"row {row}: {reason}")
            note = " ".join(str(reason).split()).replace("|", "/")
            results.append(Result(row, "", "", note=note))

    for row in sorted(options.rows):
        if hasattr(bench, f"row_{row}"):
            collect(row, getattr(bench, f"row_{row}")())
    asked = options.rows & KERNEL_ROWS
    if asked and (options.kernels or options.kernels_json):
        collect(min(asked), bench.kernels(asked))
    for row in options.rows - {result.row for result in results}:
        results.append(Result(row, "", "", note="the benchmark program printed no line for this row"))
    return sorted(results, key=lambda result: result.row)


def rows(text):
    chosen = {int(word) for word in text.split(",")}
    if not chosen <= set(WORK):
        raise ValueError
    return chosen


def second_table(options):
    """Prints the tables of --peers and --memory, which have no goals."""
    programs = Programs(options)
    catena = programs.get("catena")[0]
    print(f"- {machine()}\n- {version([catena, '--version'])}\n- load of the machine: {os.getloadavg()[0]:.2f} at the start\n")
    if options.peers:
        table.show(catena, options.wheel, options.venvs or programs.target / "venvs", options.pairs, options.peers)
    if options.memory:
        memory.show(catena, options.memory)
    print(f"\nLoad of the machine: {os.getloadavg()[0]:.2f} at the end.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=rows, default=set(WORK), metavar="1,2,3",
                        help="which rows of the table [default: all]")
    parser.add_argument("--pairs", type=int, default=7, help="pairs per row [default: 7]")
    parser.add_argument("--frames", type=int, default=600,
                        help="frames of the main job, to try the script with fewer [default: 600]")
    parser.add_argument("--catena", metavar="PATH",
                        help="the program to measure [default: built from the repository]")
    parser.add_argument("--repository", metavar="DIR", default=HERE.parents[1],
                        help="catena's repository [default: the one with this file]")
    parser.add_argument("--target", metavar="DIR",
                        help="build folder of the peers [default: target/peers in the repository]")
    parser.add_argument("--scratch", metavar="DIR",
                        help="temporary folder of pictures; must be on the disk of the repository "
                             "for valid results [default: a new folder in --target]")
    parser.add_argument("--kernels", metavar="COMMAND",
                        default="cargo bench --bench kernels -- --json",
                        help="command that prints rows 5 and 8 to 12 as JSON lines, to which --rows "
                             "is added [default: %(default)s]; '' skips these rows")
    parser.add_argument("--kernels-json", metavar="FILE",
                        help="read these rows from a file instead")
    parser.add_argument("--matplotlib-ticks", action="store_true",
                        help="let matplotlib draw the ticks of its axes; catena draws none")
    parser.add_argument("--peers", type=table.jobs, nargs="?", const=table.JOBS, metavar="A,B",
                        help="instead of the rows, compare catena with simulators and renderers, each with its own best "
                             f"settings: {', '.join(table.JOBS)} [default: all]")
    parser.add_argument("--memory", type=memory.commands, nargs="?", const=list(memory.COMMANDS), metavar="A,B",
                        help="instead of the rows, measure the peak memory of commands per node and per variant, such as "
                             "render,sweep: all commands that begin with one of these words [default: all]")
    parser.add_argument("--wheel", metavar="FILE",
                        help="catena's Python package for --peers [default: built from the repository]")
    parser.add_argument("--venvs", metavar="DIR",
                        help="folder of the venvs of --peers [default: venvs in --target]")
    options = parser.parse_args()
    if options.pairs < 1 or options.frames < 2:
        parser.error("--pairs must be at least 1, --frames at least 2")
    if options.peers or options.memory:
        return second_table(options)
    load = os.getloadavg()[0]
    programs = Programs(options)
    place = options.scratch or programs.target
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=place) as name:
        results = measure(options, programs, pathlib.Path(name).resolve())
    report(results, programs, options, load)
    return 1 if any(result.verdict() != "met" for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
