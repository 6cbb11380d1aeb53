"""The interpreter's lock is released, signals are handled, and forks continue."""

import os
import signal
import subprocess
import sys
import threading

import catena
import pytest

# Endless within the time of a test.
ENDLESS = "Scene(base: (rope: (nodes: 8, pins: [0]), substeps: 100000))"


@pytest.mark.parametrize(
    "work",
    [
        lambda scene, folder: scene.simulate(1_000_000, unlimited=True),
        lambda scene, folder: scene.draw(1_000_000, unlimited=True),
        lambda scene, folder: scene.render(folder, range(1_000_000, 1_000_001), unlimited=True),
        lambda scene, folder: catena.sweep(
            scene, {"drag": [0.0, 0.1]}, frames=1_000_000, measure="Diverged", unlimited=True
        ),
    ],
    ids=["simulate", "draw", "render", "sweep"],
)
def test_another_thread_ends_what_has_no_end(work, tmp_path):
    """The main thread works forever. The test ends only if the other thread can run and its signal
    is handled."""
    scene = catena.Scene.parse(ENDLESS, unlimited=True)
    begun = threading.Event()
    interval = sys.getswitchinterval()

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    # From now on, the interpreter forces no thread to release the lock.
    sys.setswitchinterval(1e6)
    try:
        with pytest.raises(KeyboardInterrupt):
            begun.set()
            work(scene, tmp_path)
    finally:
        sys.setswitchinterval(interval)
        other.join()


def test_a_handler_of_signals_may_raise_anything():
    class Enough(Exception):
        pass

    def handler(*_):
        raise Enough

    scene = catena.Scene.parse(ENDLESS, unlimited=True)
    before = signal.signal(signal.SIGTERM, handler)
    other = threading.Thread(target=lambda: os.kill(os.getpid(), signal.SIGTERM))
    try:
        with pytest.raises(Enough):
            other.start()
            scene.simulate(1_000_000, unlimited=True)
    finally:
        signal.signal(signal.SIGTERM, before)
        other.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_process_goes_on(scenes):
    """A fork has none of the threads of its parent."""
    code = f"""
import catena, multiprocessing
scene = catena.Scene.read({str(scenes / "compare.ron")!r})
scene.simulate(20), scene.draw(3, size=(320, 180))
def last(frames):
    scene.draw(2, size=(320, 180))
    return float(scene.simulate(frames)[0].positions[-1, -1, 0])
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(last, [10, 20]) == [last(10), last(20)]
    print("same")
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert done.stdout == "same\n", done.stderr
