#!/usr/bin/env python3
"""Measures the time that catena adds to ffmpeg's when it makes a film.

    python3 benches/peers/film.py [--catena PATH] [--folder DIR] [--pairs 7] [--preset medium]

It compares two commands with the same peer, in interleaved pairs (catena, peer, catena, peer, …), and reports the median of the
ratios of the pairs.

- film: `catena film DIR -o film.mp4`, compared with `cat frames.yuv | ffmpeg` with the same arguments. catena reads, checks and
  decodes the PNG files, converts them to yuv420p, pipes them and counts the frames of the film with ffprobe; the peer finds its
  raw frames ready in the page cache and checks nothing.
- pipe: with --scene, `catena render SCENE --film film.mp4`, compared with the same peer. This time includes simulation, drawing
  and everything else that a render does.

The peer's ffmpeg gets the arguments that catena passes, which a stand-in for ffmpeg records once. The script needs only the
standard library and ffmpeg.
"""

import argparse
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
GOAL = 1.1


def say(text):
    print(f"# {text}", file=sys.stderr, flush=True)


def run(command, folder):
    """Wall time of a command, which must succeed, and processor time of the command and its children."""
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    seconds, after = time.perf_counter() - start, os.times()
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))} ended with {done.returncode}: {done.stderr[-500:]}")
    spent = after.children_user - before.children_user
    return seconds, spent + after.children_system - before.children_system


def record(options, frames, scratch):
    """Returns the arguments that catena passes to ffmpeg, and writes its raw frames to a file."""
    words, raw = scratch / "arguments", scratch / "frames.yuv"
    stand_in = scratch / "record"
    # Writes the arguments, one per line, then runs the real ffmpeg, so that the command succeeds.
    stand_in.write_text(
        "#!/bin/sh\n"
        f"printf '%s\\n' \"$@\" > {shlex.quote(str(words))}\n"
        f"tee {shlex.quote(str(raw))} | {shlex.quote(options.ffmpeg)} \"$@\"\n"
    )
    stand_in.chmod(0o755)
    film = [options.catena, "film", frames, "-o", "recorded.mp4", "-q", "--preset", options.preset]
    run([*film, "--ffmpeg", stand_in], scratch)
    arguments = words.read_text().splitlines()[:-1]
    return [*arguments, "file:peer.mp4"], raw


def compare(name, ours, peer, options, scratch):
    pairs = []
    for index in range(options.pairs + 1):
        pair = run(ours, scratch), run(peer, scratch)
        # The first pair warms caches and does not count.
        if index > 0:
            pairs.append(pair)
            (own, _), (theirs, _) = pair
            say(f"{name}: {own:.3f} s, peer {theirs:.3f} s: {own / theirs:.3f}x")
    ratios = [ours[0] / peer[0] for ours, peer in pairs]
    median = statistics.median(ratios)
    # Other work on the machine distorts processor time less than wall time.
    spent = statistics.median(ours[1] / peer[1] for ours, peer in pairs)
    own, theirs = (statistics.median(run[0] for run in column) for column in zip(*pairs))
    verdict = "met" if median <= GOAL else "**missed**"
    print(f"| {name} | <= {GOAL}x | {median:.3f}x | {min(ratios):.3f}-{max(ratios):.3f} "
          f"| {own:.2f} s and {theirs:.2f} s | {spent:.3f}x | {verdict} |")
    return median <= GOAL


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--catena", metavar="PATH", help="the program [default: the release build]")
    parser.add_argument("--folder", metavar="DIR", help="rendered frames [default: rendered now]")
    parser.add_argument("--scene", metavar="FILE", help="also measure `render --film` of this scene")
    parser.add_argument("--frames", type=int, default=600, help="frames to render [default: 600]")
    parser.add_argument("--pairs", type=int, default=7, help="pairs that count [default: 7]")
    parser.add_argument("--preset", default="medium", help="x264's preset [default: medium]")
    parser.add_argument("--ffmpeg", default="ffmpeg", help="the ffmpeg to use [default: ffmpeg]")
    options = parser.parse_args()
    if options.pairs < 1:
        parser.error("--pairs must be at least 1")
    if not shutil.which(options.ffmpeg):
        sys.exit("ffmpeg is not installed: sudo apt install ffmpeg")
    root = HERE.parents[1]
    options.catena = str(pathlib.Path(options.catena or root / "target/release/catena").resolve())
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="catena-film-") as name:
        scratch = pathlib.Path(name)
        frames = pathlib.Path(options.folder).resolve() if options.folder else scratch / "frames"
        scene = pathlib.Path(options.scene or root / "scenes/compare.ron").resolve()
        if not options.folder:
            say("rendering the frames")
            render = [options.catena, "render", scene, "--no-steady", "-q", "--out", frames]
            run([*render, "--frames", str(options.frames)], scratch)
        arguments, raw = record(options, frames, scratch)
        print(f"- load of the machine at the start: {load:.2f}, {os.cpu_count()} processors")
        print(f"- ffmpeg {shlex.join(arguments)}")
        if load > 0.5:
            print("- **the machine was busy: times and ratios are unreliable**")
        print("\n| work | goal | measured | pairs from-to | times | processor time | verdict |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        # `cat` is all that the peer runs besides ffmpeg.
        line = f"cat {shlex.quote(str(raw))} | {shlex.join([options.ffmpeg, *arguments])}"
        peer = ["sh", "-c", line]
        quick = ["-q", "--preset", options.preset, "--ffmpeg", options.ffmpeg]
        film = [options.catena, "film", frames, "-o", "film.mp4", *quick]
        is_met = compare("film", film, peer, options, scratch)
        if options.scene:
            render = [options.catena, "render", scene, "--no-steady", "--film", "piped.mp4", *quick]
            render += ["--frames", str(options.frames)]
            is_met &= compare("render --film", render, peer, options, scratch)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
