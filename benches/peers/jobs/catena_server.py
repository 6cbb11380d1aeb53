"""Jobs of catena's Python package: the positions of the nodes of a scene. Runs in a venv with the package.

The scene is parsed before the clock starts, as the models of other programs are.
"""

import catena
from serve import serve


def simulate(path, node=None):
    """Positions of all nodes, or of one node, in each frame after the start."""
    scene = catena.Scene.read(path)
    yield None
    positions = scene.simulate(threads=1, unlimited=True)[0].positions[1:]
    yield (positions if node is None else positions[:, node]).tolist()


serve({"simulate": simulate}, catena.__version__)
