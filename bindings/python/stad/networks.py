"""Networks, and the oracle, which trains on labels of the stream."""

import os
import pathlib

from . import _stad
from .adapters import Adapter, _describe, _texts


def open_network(file, shape, *, head=""):
    """Opens a TorchScript network, scripted or traced, for images of one shape.

    file is a path, or the bytes of such a file; shape is (channels, height, width) of an image; head names the last
    linear layer; if empty, it is searched for. Raises ImportError if the torch component cannot be loaded.
    """
    is_bytes = isinstance(file, (bytes, bytearray, memoryview))
    try:
        return _stad.Network(bytes(file) if is_bytes else pathlib.Path(file).read_bytes(), shape, head)
    except ValueError as error:
        raise ValueError(f"{'file' if is_bytes else os.fspath(file)}: {error}") from None


def split_labelled(images, **options):
    """Splits an ImageStream into the share of every time step that the oracle trains on, and the rest."""
    return _stad._split_labelled(images, _texts(options))


class Oracle(Adapter):
    _method = "oracle"

    def __init__(self, network, labelled, **options):
        self._begin((labelled, network), options)


Oracle.__module__ = "stad"
_describe(Oracle, ("network", "labelled"))
