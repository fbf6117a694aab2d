"""A live PyTorch model that adapts while it answers."""

import threading
import weakref

from .adapters import make_adapter
from .heads import from_torch, last_linear


class _Seen(threading.local):
    """What the last layer was given, in each thread: several may use one model at once."""

    asked = False  # a model that is called past its LiveModel keeps nothing alive here
    features = None


_seen = _Seen()


def _remember(_, inputs):
    if _seen.asked:
        _seen.features = inputs[0].detach()


class LiveModel:
    """Answers as a model does, adapting on the way.

    >>> live = stad.LiveModel(model)
    >>> probabilities = live(images)
    """

    def __init__(self, model, method="stad-safe", mean=None, classes=None, **options):
        self.model = model
        self.adapter = make_adapter(method, from_torch(model, mean, classes), **options)
        hook = last_linear(model).register_forward_pre_hook(_remember)
        weakref.finalize(self, hook.remove)

    def __call__(self, *inputs, time=None, **keywords):
        """Probabilities, N x K, as a tensor."""
        import torch

        _seen.asked = True
        try:
            with torch.no_grad():
                self.model(*inputs, **keywords)
            features = _seen.features
        finally:
            _seen.asked, _seen.features = False, None
        if features is None:
            raise ValueError("model: its last nn.Linear was not used for these inputs, must be what answers come from")
        return torch.tensor(self.adapter.adapt(features.cpu(), time).probabilities)
