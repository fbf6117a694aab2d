"""A PyTorch model whose last layer adapts to its inputs."""

import threading
import weakref

from .adapters import make_adapter
from .heads import from_torch, last_linear


class _Captured(threading.local):
    """Inputs of the last layer, for each thread, because several threads may use one model."""

    enabled = False  # direct calls of the model must not keep features alive
    features = None


_captured = _Captured()


def _capture(_, inputs):
    if _captured.enabled:
        _captured.features = inputs[0].detach()


class LiveModel:
    """Predicts like the model, and adapts what its last layer does to each batch.

    The default, stad-safe, answers as the model does, except where labels persist from row to row. Methods such as
    stad-vmf and normalise always adapt, and may gain or lose.

    >>> live = stad.LiveModel(model)
    >>> probabilities = live(images)
    """

    def __init__(self, model, method="stad-safe", mean=None, classes=None, **options):
        self.model = model
        self.adapter = make_adapter(method, from_torch(model, mean, classes), **options)
        hook = last_linear(model).register_forward_pre_hook(_capture)
        weakref.finalize(self, hook.remove)

    def __call__(self, *inputs, time=None, **keywords):
        """Probabilities, N x K, as a tensor."""
        import torch

        _captured.enabled = True
        try:
            with torch.no_grad():
                self.model(*inputs, **keywords)
            features = _captured.features
        finally:
            _captured.enabled, _captured.features = False, None
        if features is None:
            raise ValueError("model: its last nn.Linear was not used for these inputs, but must compute the logits")
        return torch.tensor(self.adapter.adapt(features.cpu(), time).probabilities)
