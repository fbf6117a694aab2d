"""Heads of classifiers that other libraries have trained."""

import numpy

from ._stad import SourceModel


def last_linear(model):
    """The last torch.nn.Linear among a module's parts."""
    from torch import nn  # only who has a module needs it

    found = [part for part in model.modules() if isinstance(part, nn.Linear)]
    if not found:
        raise ValueError(f"model: {type(model).__name__} has no nn.Linear; give stad.SourceModel its last layer's weight")
    return found[-1]


def from_torch(model, mean=None, classes=None):
    """The head of an nn.Module: its last nn.Linear.

    mean is the mean of that layer's inputs over the training data: give it if you can.
    """
    head = last_linear(model)
    bias = None if head.bias is None else head.bias.detach().cpu().numpy()
    return SourceModel(head.weight.detach().cpu().numpy(), bias, mean, classes)


def from_sklearn(classifier, mean=None):
    """The head of a fitted linear classifier of scikit-learn.

    mean is the mean of the training features: give it if you can. Adapters made of the head answer predict() with the
    classifier's own labels, whatever their type.
    """
    try:
        weight = numpy.atleast_2d(numpy.asarray(classifier.coef_, dtype=float))
        bias = numpy.atleast_1d(numpy.asarray(classifier.intercept_, dtype=float))
        labels = numpy.array(classifier.classes_)
    except AttributeError as missing:
        raise ValueError(f"classifier: {type(classifier).__name__} is not a fitted linear classifier: {missing}") from None
    if len(weight) == 1:  # one row for two classes: half of it for either says the same
        weight = numpy.concatenate([-weight / 2, weight / 2])
        bias = numpy.concatenate([-bias / 2, bias / 2])
    head = SourceModel(weight, numpy.broadcast_to(bias, len(weight)), mean, [str(label) for label in labels])
    labels.setflags(write=False)
    head._labels = labels  # which the names are but the texts of
    return head
