"""Keeps a deployed classifier fresh, without labels and without backpropagation.

>>> import stad
>>> source, stream = stad.simulate(drift="progressive", seed=1)
>>> adapter = stad.StadSafe(source)
>>> answer = adapter.adapt(stream.features[:64])
>>> answer.labels, answer.probabilities, answer.health
"""

from ._stad import Answer, SourceModel, Stream, __version__, read_source, read_stream, set_threads
from .adapters import Adapter, Lame, Source, StadGauss, StadSafe, StadVmf, T3A, make_adapter, methods
from .heads import from_sklearn, from_torch
from .live import LiveModel
from .plots import plot_accuracy
from .streams import evaluate, simulate

__all__ = [
    "Adapter", "Answer", "Lame", "LiveModel", "Source", "SourceModel", "StadGauss", "StadSafe", "StadVmf", "Stream",
    "T3A", "__version__", "evaluate", "from_sklearn", "from_torch", "make_adapter", "methods", "plot_accuracy",
    "read_source", "read_stream", "set_threads", "simulate",
]
