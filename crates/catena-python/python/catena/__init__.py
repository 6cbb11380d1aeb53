"""Deterministic simulation of ropes and cloth."""

from .catena import *
from .catena import __all__, __version__
