"""A live PyTorch model that adapts while it answers."""

from .adapters import make_adapter
from .heads import from_torch, last_linear


class LiveModel:
    """Answers as a model does, adapting on the way.

    >>> live = stad.LiveModel(model)
    >>> probabilities = live(images)
    """

    def __init__(self, model, method="stad-safe", mean=None, classes=None, **options):
        self.model = model
        self.adapter = make_adapter(method, from_torch(model, mean, classes), **options)
        self._features = None
        last_linear(model).register_forward_pre_hook(self._remember)

    def _remember(self, _, inputs):
        self._features = inputs[0]

    def __call__(self, *inputs, time=None, **keywords):
        """Probabilities, N x K, as a tensor."""
        import torch

        with torch.no_grad():
            self.model(*inputs, **keywords)
        features = self._features.detach().cpu()
        self._features = None
        return torch.tensor(self.adapter.adapt(features, time).probabilities)
