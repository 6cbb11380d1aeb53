"""Self-referential and endless values, signals within long steps, and faults of catena itself."""

import collections.abc
import os
import signal
import subprocess
import sys
import textwrap
import threading

import catena
import numpy as np
import pytest

SCENE = "Scene(base: (rope: (nodes: 4), substeps: 4, frames: 3))"


def nested(depth, kind):
    """A value nested to this depth."""
    value = 1
    for _ in range(depth):
        value = kind(value)
    return value


def own_list():
    value = []
    value.append(value)
    return value


def own_branches():
    value = []
    value.extend([value, value, value])
    return value


def own_dict():
    value = {}
    value["x"] = value
    return value


class EndlessList:
    """A value whose list is another value of the same class."""

    def tolist(self):
        return EndlessList()


class Grows(dict):
    """A dict with a key that changes the dict while it is serialised."""


class Name:
    def __init__(self, owner):
        self.owner = owner

    def __str__(self):
        self.owner[len(self.owner)] = 1
        return "x"


DEEP = [
    own_list(),
    own_branches(),
    own_dict(),
    (own_list(),),
    {"x": own_list()},
    EndlessList(),
    nested(100_000, lambda value: [value]),
    nested(100_000, lambda value: (value,)),
    nested(100_000, lambda value: {"x": value}),
]


@pytest.mark.parametrize("number", range(len(DEEP)))
def test_values_that_are_too_deep_are_errors(number):
    value = DEEP[number]
    with pytest.raises(ValueError, match="deep"):
        catena.Scene.parse(SCENE, {"rope.start": value})
    with pytest.raises(ValueError, match="deep"):
        catena.Scene.parse(SCENE).with_set({"rope.start": value})
    with pytest.raises(ValueError, match="deep"):
        catena.sweep(catena.Scene.parse(SCENE), {"rope.start": [value]})


def test_values_within_the_depth_are_written():
    scene = catena.Scene.parse(SCENE, {"rope.pins": np.array([1, 3]), "rope.nodes": np.int64(5)})
    assert scene.panels[0].bodies[0].nodes == 5
    assert scene.panels[0].bodies[0].pinned.tolist() == [False, True, False, True, False]
    with pytest.raises(catena.SceneError):
        catena.Scene.parse(SCENE, {"rope.start": nested(20, lambda value: [value])})


def test_a_dict_that_changes_while_it_is_written_is_no_panic():
    value = {}
    value[Name(value)] = 1
    value[Name(value)] = 2
    with pytest.raises(Exception):
        catena.Scene.parse(SCENE, {"rope.start": value})


class Claims(collections.abc.Sequence):
    """A sequence that claims an arbitrary length."""

    def __init__(self, value, length=2**62):
        self.value, self.length = value, length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return self.value


def endless(value):
    while True:
        yield value


def test_iterators_that_never_end_are_errors():
    with pytest.raises(ValueError, match="more than"):
        catena.sweep(catena.Scene.parse(SCENE), {"substeps": endless(1)})
    for option in ("set", "axes"):
        arguments = {option: endless("rope.nodes=3")}
        with pytest.raises(ValueError, match="more than"):
            catena.sweep(catena.Scene.parse(SCENE), **arguments)
    for option in ("exclude", "measure"):
        arguments = {"axes": {"substeps": [1]}, option: endless("Strain")}
        with pytest.raises(ValueError, match="more than"):
            catena.sweep(catena.Scene.parse(SCENE), **arguments)
    with pytest.raises(ValueError, match="more than"):
        catena.Scene.parse(SCENE, Claims("rope.nodes=3"))


@pytest.mark.parametrize("length", [2**40, 2**62, 2**63])
def test_lists_of_folders_may_claim_any_length(length, tmp_path):
    # In a separate process, which ends if the system refuses the memory.
    code = f"""
        import collections.abc, catena

        class Claims(collections.abc.Sequence):
            def __init__(self, items):
                self.items = items

            def __len__(self):
                return {length}

            def __getitem__(self, index):
                return self.items[index]

        folder = {str(tmp_path)!r}
        scene = catena.Scene.parse({SCENE!r}, allow_path=Claims([folder]))
        print(scene.panels[0].bodies[0].nodes)
        for call in (catena.Scene.parse, catena.Scene.read):
            try:
                call({SCENE!r}, allow_path=Claims([3]))
            except TypeError as error:
                print(error)
    """
    done = run(code)
    expected = "allow_path: expected a path or a list of paths\n"
    assert done.stdout == "4\n" + 2 * expected, (done.returncode, done.stderr)


def test_folders_that_never_end_are_errors(tmp_path):
    for folders in (endless(tmp_path), Claims(tmp_path)):
        with pytest.raises(ValueError, match="allow_path: more than"):
            catena.Scene.parse(SCENE, allow_path=folders)


def test_unknown_choices_of_the_environment_are_refused():
    for name, known in (("CATENA_PAINTER", "imageproc"), ("CATENA_INSTRUCTIONS", "baseline")):
        for value, told in (("plain", "ValueError\n"), (known, "fine\n"), ("", "fine\n")):
            code = f"""
                try:
                    import catena
                    print("fine")
                except ValueError as error:
                    assert {name!r} in str(error) and {known!r} in str(error)
                    print(type(error).__name__)
            """
            done = run(code, env={**os.environ, name: value})
            assert done.stdout == told, (name, value, done.stderr)


def run(code, **options):
    """Runs code in a separate process, so that a crash is detected."""
    code = textwrap.dedent(code)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, **options
    )


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_iterators_that_never_end_fit_into_little_memory():
    code = """
        import resource, catena
        scene = catena.Scene.parse("Scene(base: (rope: (nodes: 4), substeps: 4, frames: 3))")
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        def endless():
            while True:
                yield [1.5] * 100
        try:
            catena.sweep(scene, {"substeps": endless()}, threads=1)
        except ValueError as error:
            print("refused:", error)
    """
    done = run(code)
    assert done.returncode == 0 and "refused: the text" in done.stdout, done.stderr


LONG = [
    # One long frame, with methods with and without kernels.
    'scene(substeps=1_000_000).simulate(frames=2, unlimited=True, threads=1)',
    'scene(substeps=1_000_000, integrator="Rk4").simulate(frames=2, unlimited=True, threads=1)',
    'scene(substeps=1_000_000, integrator="ConstraintVerlet").draw(1, unlimited=True, threads=1)',
    'scene(substeps=1_000_000).stability(frames=50, unlimited=True, threads=1)',
    'scene(substeps=1_000_000).steady(unlimited=True, threads=1)',
    'catena.sweep(scene(), {"substeps": [1_000_000]}, frames=2, unlimited=True, threads=1)',
    'scene(substeps=1_000_000).render(folder, unlimited=True, threads=1)',
    'scene(substeps=1_000_000).start(unlimited=True).advance()',
    'catena.Batch(scene(substeps=1_000_000), 2, unlimited=True).advance()',
]


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("call", LONG)
def test_ctrl_c_ends_a_call_within_a_long_step(call, tmp_path):
    code = f"""
        import os, signal, sys, threading, catena
        signal.signal(signal.SIGINT, signal.default_int_handler)
        folder = {str(tmp_path / "out")!r}
        def scene(**set):
            set["rope.nodes"] = 5000
            return catena.Scene.parse({SCENE!r}, set, unlimited=True)
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            {call}
        except KeyboardInterrupt:
            print("ended")
    """
    # The timeout is far above the time of the call, and far below the time of the step.
    done = run(code)
    assert done.returncode == 0 and done.stdout == "ended\n", (done.stdout, done.stderr)


def test_exceptions_have_one_base():
    assert issubclass(catena.SceneError, catena.Error) and issubclass(catena.SceneError, ValueError)
    assert issubclass(catena.InternalError, catena.Error)
    assert issubclass(catena.Error, Exception)
    with pytest.raises(catena.Error):
        catena.Scene.parse("Scene(")


def test_without_numpy_there_is_an_exception_and_no_panic():
    code = """
        import sys
        sys.modules["numpy"] = None
        try:
            import catena
        except Exception as error:
            print(type(error).__name__)
    """
    done = run(code)
    assert done.stdout == "ModuleNotFoundError\n", done.stderr
    code = f"""
        import sys, catena
        scene = catena.Scene.parse({SCENE!r})
        for name in [name for name in sys.modules if name.split(".")[0] == "numpy"]:
            sys.modules[name] = None
        try:
            scene.simulate(threads=1)
            print("fine")
        except Exception as error:
            print(type(error).__name__)
    """
    done = run(code)
    assert done.returncode == 0 and done.stdout in ("fine\n", "InternalError\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits threads as Unix does")
def test_a_refused_thread_is_an_exception():
    code = f"""
        import os, resource, catena
        scene = catena.Scene.parse({SCENE!r})
        if os.getuid() == 0:
            os.setgid(54321)
            os.setuid(54321)
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        for call in (lambda: scene.simulate(threads=4), lambda: scene.cautions()):
            try:
                call()
                print("made")
            except OSError as error:
                print("refused")
    """
    done = run(code)
    assert done.returncode == 0 and done.stdout == "refused\nrefused\n", (done.stdout, done.stderr)


def test_deep_texts_are_errors_in_threads_with_small_stacks():
    threading.stack_size(256 << 10)
    try:
        caught = []

        def work():
            for text in ("Scene(base: (rope: (start: " + "[" * 100_000, "(" * 100_000):
                try:
                    catena.Scene.parse(text)
                except catena.SceneError as error:
                    caught.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert len(caught) == 2
