"""The table of `run.py --peers`: one row per job and peer, with the ratio, the errors and the settings of both."""

import pathlib
import subprocess
import sys
import tempfile

from . import cantilever, cloth_by_corners, frame_times, hanging_rope, homework_rope, mooring_chain, search
from .own import Failed, Own
from .peer import Missing, Peer, environment, python, renew

# Packages of each peer, and of catena's package unless a wheel is given. Cables are not in MuJoCo 4.
PACKAGES = {
    "MuJoCo": ["mujoco==3.17.0"],
    "PyElastica": ["pyelastica==1.0.0"],
    "Newton": ["newton==1.8.0", "warp-lang==1.19.0"],
    "MoorDyn": ["numpy==2.4.6", "moordyn==2.7.2"],
    "matplotlib": ["matplotlib==3.11.2"],
    "VTK": ["vtk==9.7.2", "numpy"],
    "Blender": ["bpy==5.0.1"],
}
HEAD = ["job", "peer", "peer's time over catena's", "pairs", "times: catena, peer", "errors: catena, peer", "reference",
        "settings of catena", "settings of the peer"]
# Short runs are repeated for about this time in seconds, and at most this many times.
LONG, MOST = 0.05, 100
JOBS = ["rope", "rod", "cloth", "mooring", "homework", "frames"]


def say(text):
    print(f"# {text}", file=sys.stderr, flush=True)


def seconds(value):
    for size, unit in ((1, "s"), (1e-3, "ms")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{1e6 * value:.3g} µs"


def words(settings, per):
    """Settings as text: names with values, and the number of steps per time."""
    rest = [f"{name} {value}" for name, value in settings.items() if name != "steps"]
    return ", ".join([*rest, f"{settings['steps']} steps per {per}"])


def repeated(run):
    """A function that returns the mean time of some runs in a row, so that short runs are not measured with cold caches."""
    times = max(1, min(MOST, round(LONG / run())))
    return lambda: sum(run() for _ in range(times)) / times


class Table:
    """Runs jobs and prints their rows."""

    def __init__(self, program, wheel, place, pairs, folder):
        self.program, self.place, self.pairs, self.folder = program, pathlib.Path(place), pairs, pathlib.Path(folder)
        self.wheel = wheel
        self.place.mkdir(parents=True, exist_ok=True)
        self.shared = None

    def own(self):
        """catena's program and package. The package is installed on first use."""
        if not self.shared:
            repository = pathlib.Path(__file__).resolve().parents[3]
            source = str(pathlib.Path(self.wheel).resolve() if self.wheel else repository / "crates/catena-python")
            interpreter = python(self.place, "catena", [source, "numpy"])
            renew(interpreter, source)
            server = Peer(interpreter, "catena_server.py")
            self.shared = Own(self.program, server, self.folder)
        return self.shared

    def peer(self, name):
        interpreter = python(self.place, name, PACKAGES[name])
        return Peer(interpreter, f"{'moordyn' if name == 'MoorDyn' else name.lower().removeprefix('py')}_server.py")

    def row(self, *cells):
        print("| " + " | ".join(str(cell).replace("|", "/") for cell in cells) + " |", flush=True)

    def skipped(self, job, name, reason):
        say(f"{job}, {name}: {reason}")
        self.row(job, name, "not measured: " + " ".join(str(reason).split()), *[""] * (len(HEAD) - 3))

    def attempt(self, job, name, work):
        """Prints the rows of a peer, or the reason why there is none."""
        say(f"{job}, {name}")
        try:
            work()
        except (Missing, Failed, OSError, subprocess.CalledProcessError) as reason:
            self.skipped(job, name, reason)

    def pair(self, job, name, ours, theirs, first, second, reference, texts):
        ratio, ratios, medians = search.pairs(repeated(first), repeated(second), self.pairs)
        self.row(job, name, f"{ratio:.2g}x" if ratio < 10 else f"{ratio:.0f}x", f"{min(ratios):.2g} to {max(ratios):.2g}",
                 ", ".join(map(seconds, medians)), f"{ours:.1e}, {theirs:.1e}", reference, *texts)

    def searched(self, job, label, peer, mine, run, families, other, case, per):
        """A row of two programs whose settings were found by a search."""
        theirs = search.fastest(families, case.STEPS, other, case.BOUND)
        if not mine or not theirs:
            raise Missing(f"no settings reach an error of {case.BOUND:g}: "
                          f"{'catena' if not mine else label.split()[0]} does not")
        self.pair(job, label, mine.error, theirs.error, lambda: run(mine.settings)[1], lambda: other(theirs.settings)[1],
                  case.REFERENCE, [words(mine.settings, per), words(theirs.settings, per)])

    def simulated(self, job, case, peers, per, expected=None):
        """A job of the package with a server per peer."""
        own = self.own()
        given = [expected] if expected else []
        run = case.own_run(own, *given)
        mine = search.fastest(case.own_families(), case.STEPS, run, case.BOUND)
        for name, families in peers.items():
            def work(name=name, families=families):
                peer = self.peer(name)
                other = case.peer_run(peer, *given)
                self.searched(job, f"{name} {peer.version}", peer, mine, run, families(), other, case, per)
                peer.end()

            self.attempt(job, name, work)

    def rope(self):
        case = hanging_rope
        peers = {"MuJoCo": case.mujoco_families, "PyElastica": case.elastica_families}
        self.simulated(f"hanging rope, tip within {case.BOUND:g} of the amplitude", case, peers, "0.1 s")

    def rod(self):
        case = cantilever
        peers = {"MuJoCo": case.mujoco_families, "PyElastica": case.elastica_families}
        self.simulated(f"cantilever, fall of the tip within {case.BOUND:g}", case, peers, "run")

    def cloth(self):
        case = cloth_by_corners
        expected = case.reference(self.own())
        peers = {"MuJoCo": case.mujoco_families, "Newton": case.newton_families}
        self.simulated(f"cloth by two corners, rms of positions within {case.BOUND:g}", case, peers, "0.25 s", expected)

    def mooring(self):
        case, own = mooring_chain, self.own()
        job = f"mooring chain of 200 m, rms of the tension within {case.BOUND:g} of the swing"

        def work():
            peer = self.peer("MoorDyn")
            reference, their_reference = case.own_reference(own), case.peer_reference(peer, self.folder)
            apart = case.error(reference, their_reference)
            run = case.own_run(own, reference)
            mine = search.fastest(case.own_families(), case.STEPS, run, case.BOUND)
            other = case.peer_run(peer, self.folder, their_reference)
            label = (f"MoorDyn {peer.version}; converged runs differ by {100 * apart:.1f} % of the swing, and its search for the "
                     f"state at rest takes {seconds(peer.prepared)} more")
            self.searched(job, label, peer, mine, run, case.peer_families(), other, case, "0.1 s")
            peer.end()

        self.attempt(job, "MoorDyn", work)

    def homework(self):
        case, own = homework_rope, self.own()
        source = pathlib.Path(__file__).resolve().parents[1] / "homework_cpp"

        def work():
            subprocess.run(["make", "-C", source, f"OUT={self.place}"], check=True, capture_output=True)
            program = self.place / "homework_cpp"
            for each in case.CASES:
                method, nodes, steps = each
                apart = case.difference(own, program, each)
                command = [program, *case.command(*each)]
                text = f"{method}, {nodes} nodes, {steps} steps"
                self.pair(f"rope of the homework, {text}", "C++ of the homework", apart, apart,
                          lambda each=each: own.spent(*case.own_words(own, each)),
                          lambda command=command: frame_times.spent(command, self.folder), case.REFERENCE,
                          ["trace of the last node", "g++ -O3"])

        self.attempt("rope of the homework", "C++", work)

    def frames(self):
        case, folder = frame_times, self.folder
        one, two = case.single_panel(folder), case.both_panels(folder)

        def drawn(job, name, scene, frames, command, frames_of_peer, setting, pairs=self.pairs):
            def time_own():
                return case.each(case.own(self.program, scene, folder), frames, folder)

            ratio, ratios, medians = search.pairs(time_own, lambda: case.each(command, frames_of_peer, folder), pairs)
            self.row(job, name, f"{ratio:.3g}x", f"{min(ratios):.3g} to {max(ratios):.3g}", ", ".join(map(seconds, medians)),
                     "-", "pictures differ in shading", case.CATENA, setting)

        def with_matplotlib():
            command = case.matplotlib(python(self.place, "matplotlib", PACKAGES["matplotlib"]), folder)
            drawn("frame of scenes/compare.ron", PACKAGES["matplotlib"][0], case.COMPARE, 600, command, 30, "savefig, lines reused")

        def with_vtk():
            command = case.vtk(python(self.place, "VTK", PACKAGES["VTK"]), folder)
            setting = f"{case.SOFTWARE}, 8 samples, shadows, no file"
            drawn("frame of scenes/cloth_sphere.ron", PACKAGES["VTK"][0], two, 100, command, 20, setting)

        self.attempt("frame of scenes/compare.ron", "matplotlib", with_matplotlib)
        self.attempt("frame of scenes/cloth_sphere.ron", "VTK", with_vtk)
        # Frames of two engines take many seconds, so there are fewer.
        slow = min(3, self.pairs)
        for engine, count, pairs in (("BLENDER_WORKBENCH", 6, self.pairs), ("CYCLES", 2, slow), ("BLENDER_EEVEE", 2, slow)):
            def with_blender(engine=engine, count=count, pairs=pairs):
                interpreter = python(self.place, "Blender", PACKAGES["Blender"])
                export = folder / "one_cloth.glb"
                words = [str(word) for word in (self.program, "export", one, "--frames", 100, "-o", export)]
                subprocess.run(words, check=True, capture_output=True, env=environment())
                command = case.blender(interpreter, engine, export, folder)
                kind = "path tracer" if engine == "CYCLES" else case.SOFTWARE
                drawn("frame of one panel of scenes/cloth_sphere.ron", f"Blender: {PACKAGES['Blender'][0]}, {engine}", one, 100,
                      command, count, f"{kind}, 8 samples, shadows, PNG", pairs)

            self.attempt("frame of one panel of scenes/cloth_sphere.ron", f"Blender, {engine}", with_blender)


def jobs(text):
    chosen = text.split(",")
    if not set(chosen) <= set(JOBS):
        raise ValueError
    return chosen


def show(program, wheel, place, pairs, chosen):
    """Runs the chosen jobs and prints the table."""
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        table = Table(program, wheel, place, pairs, folder)
        table.row(*HEAD)
        table.row(*["---"] * len(HEAD))
        for job in chosen:
            try:
                getattr(table, job)()
            except (Missing, Failed) as reason:
                table.skipped(job, "catena", reason)
        if table.shared:
            table.shared.server.end()
