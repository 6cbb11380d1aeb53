#!/usr/bin/env python3
"""Packs a release: `.ci/pack.py PROGRAM MODULE TARGET FOLDER` writes catena-VERSION-TARGET.tar.gz, or .zip for Windows, and its SHA-256 to FOLDER.

PROGRAM is a built `catena`, MODULE is the WebAssembly module for pages, built from the same sources, and TARGET is a target triple. The archive has
one folder with the program, the module, scenes, docs, manual pages, completions, README and licences. Equal inputs give equal bytes.
"""

import gzip
import hashlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
WHOLE = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]
SHELLS = ["bash", "zsh", "fish", "powershell", "elvish"]
EXECUTABLE, PLAIN = 0o755, 0o644
# Archives contain no build time. This is the earliest time that ZIP can store.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def output(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True).stdout


def members(program, module):
    """Yields path, contents and permissions of each file."""
    windows = program.suffix == ".exe"
    yield program.name, program.read_bytes(), EXECUTABLE
    yield "catena_web.wasm", module.read_bytes(), PLAIN
    for name in WHOLE:
        yield name, (REPOSITORY / name).read_bytes(), PLAIN
    listed = subprocess.run(["git", "ls-files", "-z", "docs", "scenes", "sweeps"], cwd=REPOSITORY, check=True, capture_output=True)
    for name in listed.stdout.decode().split("\0")[:-1]:
        yield name, (REPOSITORY / name).read_bytes(), PLAIN
    for shell in SHELLS:
        yield f"completions/catena.{shell}", output(program, "completions", shell), PLAIN
    if not windows:
        with tempfile.TemporaryDirectory() as folder:
            output(program, "man", "--out", folder)
            for page in pathlib.Path(folder).glob("man*/*"):
                yield f"man/{page.parent.name}/{page.name}", page.read_bytes(), PLAIN


def tar(root, files):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, contents, mode in files:
            entry = tarfile.TarInfo(f"{root}/{name}")
            entry.size, entry.mode = len(contents), mode
            archive.addfile(entry, io.BytesIO(contents))
    return gzip.compress(raw.getvalue(), mtime=0)


def zipped(root, files):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents, mode in files:
            entry = zipfile.ZipInfo(f"{root}/{name}", ZIP_TIME)
            entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, contents)
    return raw.getvalue()


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    program, module, folder = (pathlib.Path(sys.argv[place]).resolve() for place in (1, 2, 4))
    target = sys.argv[3]
    version = output(program, "--version").decode().split()[1]
    root = f"catena-{version}-{target}"
    files = sorted(members(program, module))
    windows = "windows" in target
    name, contents = (f"{root}.zip", zipped(root, files)) if windows else (f"{root}.tar.gz", tar(root, files))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(contents)
    line = f"{hashlib.sha256(contents).hexdigest()}  {name}\n"
    (folder / f"{name}.sha256").write_text(line, newline="\n")
    print(line, end="")


main()
