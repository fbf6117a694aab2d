"""Networks, and the method that learns from labels as they would be."""

import os
import pathlib

from . import _stad
from .adapters import Adapter, _describe, _texts


def open_network(file, shape, *, head=""):
    """A TorchScript network, scripted or traced, for images of one shape.

    file is a path, or the bytes of such a file; shape is (channels, height, width) of an image; head names the last
    linear layer where it shall not be searched for. Raises ImportError where the torch component cannot be loaded.
    """
    held = isinstance(file, (bytes, bytearray, memoryview))
    try:
        return _stad.Network(bytes(file) if held else pathlib.Path(file).read_bytes(), shape, head)
    except ValueError as trouble:
        raise ValueError(f"{'file' if held else os.fspath(file)}: {trouble}") from None


def split_labelled(images, **options):
    """Takes the oracle's share of every time step of an ImageStream: (labelled, rest). Options are the oracle's."""
    return _stad._split_labelled(images, _texts(options))


class Oracle(Adapter):
    _method = "oracle"

    def __init__(self, network, labelled, **options):
        self._begin((labelled, network), options)


Oracle.__module__ = "stad"
_describe(Oracle, ("network", "labelled"))
