"""Test-time adaptation of deployed classifiers, without labels and without backpropagation.

>>> import stad
>>> source, stream = stad.simulate(drift="progressive", seed=1)
>>> adapter = stad.StadSafe(source)
>>> answer = adapter.adapt(stream.features[:64])
>>> answer.labels, answer.probabilities, answer.health
"""

from ._stad import (Answer, ImageStream, Network, SourceModel, Stream, __version__, read_images, read_source,
                    read_stream, set_threads)
from .adapters import (Adapter, Bn, Cmf, Cotta, Lame, Normalise, Prior, Rotta, Sar, Shot, Source, StadGauss,
                       StadGaussBn, StadSafe, StadVmf, StadVmfBn, T3A, Tent, make_adapter, methods, network_methods)
from .heads import from_sklearn, from_torch
from .live import LiveModel
from .networks import Oracle, open_network, split_labelled
from .plots import plot_accuracy
from .streams import evaluate, simulate

__all__ = [
    "Adapter", "Answer", "Bn", "Cmf", "Cotta", "ImageStream", "Lame", "LiveModel", "Network", "Normalise", "Oracle",
    "Prior", "Rotta", "Sar", "Shot", "Source", "SourceModel", "StadGauss", "StadGaussBn", "StadSafe", "StadVmf",
    "StadVmfBn", "Stream", "T3A", "Tent", "__version__", "evaluate", "from_sklearn", "from_torch", "make_adapter",
    "methods", "network_methods", "open_network", "plot_accuracy", "read_images", "read_source", "read_stream",
    "set_threads", "simulate", "split_labelled",
]
