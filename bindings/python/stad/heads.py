"""Source models from classifiers of other libraries."""

import numpy

from ._stad import SourceModel


def last_linear(model):
    """The last torch.nn.Linear of a module."""
    from torch import nn  # optional dependency

    layers = [layer for layer in model.modules() if isinstance(layer, nn.Linear)]
    if not layers:
        raise ValueError(f"model: {type(model).__name__} has no nn.Linear; make a stad.SourceModel from "
                         "the weight of its last layer")
    return layers[-1]


def from_torch(model, mean=None, classes=None):
    """The head of an nn.Module: its last nn.Linear.

    mean is the mean of that layer's inputs over the training data. It is optional; some methods need it.
    """
    head = last_linear(model)
    bias = None if head.bias is None else head.bias.detach().cpu().numpy()
    return SourceModel(head.weight.detach().cpu().numpy(), bias, mean, classes)


def from_sklearn(classifier, mean=None):
    """The head of a fitted linear classifier of scikit-learn.

    mean is the mean of the training features. It is optional; some methods need it. predict() of adapters made from
    this head returns the labels of the classifier, of any type.
    """
    try:
        weight = numpy.atleast_2d(numpy.asarray(classifier.coef_, dtype=float))
        bias = numpy.atleast_1d(numpy.asarray(classifier.intercept_, dtype=float))
        labels = numpy.array(classifier.classes_)
    except AttributeError as missing:
        name = type(classifier).__name__
        raise ValueError(f"classifier: {name} is not a fitted linear classifier: {missing}") from None
    if len(weight) == 1:  # binary: one row of coefficients; half of it for each class is equivalent
        weight = numpy.concatenate([-weight / 2, weight / 2])
        bias = numpy.concatenate([-bias / 2, bias / 2])
    head = SourceModel(weight, numpy.broadcast_to(bias, len(weight)), mean, [str(label) for label in labels])
    labels.setflags(write=False)
    head._labels = labels  # class names are their texts
    return head
