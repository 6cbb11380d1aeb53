"""The side of catena: its program, and its Python package in a server like those of the peers."""

import pathlib

from .process import timed


class Failed(Exception):
    """A command of catena that did not succeed."""


class Own:
    """Runs of catena in a folder. server is the Peer of the Python package."""

    def __init__(self, program, server, folder):
        self.program, self.server, self.folder = program, server, pathlib.Path(folder)

    def spent(self, *words):
        """Processor time of a command in seconds, from its start to its end, with all threads."""
        spent, code, output = timed((self.program, *words), self.folder)
        if code:
            raise Failed(f"{self.program} {' '.join(map(str, words))} ended with {code}: {output[-500:]}")
        return spent

    def scene(self, text):
        """Writes the text of a scene into the folder."""
        path = self.folder / "job.ron"
        path.write_text(text)
        return path

    def simulate(self, text, node=None):
        """Positions of all nodes, or of one node, in each frame after the start, and the processor time of the simulation."""
        return self.server.run("simulate", path=str(self.scene(text)), node=node)
