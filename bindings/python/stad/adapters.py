"""The methods, one class each, with the library's options as keywords."""

import inspect

import numpy

from . import _stad


def _text(value):
    """An option as the library reads it."""
    if isinstance(value, (bool, numpy.bool_)):
        return "on" if value else "off"
    if value is None:
        return "all"
    return str(value)


class Adapter(_stad.Adapter):
    """A classifier that keeps itself fresh. One adapter follows one stream; calls from several threads take turns."""

    _method = None  # of subclasses

    def __init__(self, source, **options):
        if self._method is None:
            raise TypeError("Adapter has no method of its own; use StadSafe or another, or stad.make_adapter")
        super().__init__(self._method, source, [(name, _text(value)) for name, value in options.items()])

    @property
    def classes_(self):
        """What predict() answers with: the names of the classes, or their indices where there are none."""
        source = self.source
        return numpy.array(source.classes) if source.named else numpy.arange(len(source.classes))

    def partial_fit(self, X, y=None):
        """Learns from a batch; with labels y, as `classes_` has them, from labelled rows."""
        if y is None:
            self.adapt(X)
        else:
            self.observe_rows(X, self._indices(y))
        return self

    def predict_proba(self, X):
        """N x K probabilities, without learning."""
        return self.answer(X).probabilities

    def predict(self, X):
        """N classes, without learning."""
        return self.classes_[self.answer(X).labels]

    def observe(self, ids, labels):
        """Labels that came after their rows, which were given ids. Returns how many were used, and forgotten."""
        return self._observe(ids, labels, False)

    def observe_rows(self, features, labels):
        """Labelled rows with their features. Returns how many were used, and not."""
        return self._observe(features, labels, True)

    def _indices(self, y):
        if not self.source.named:
            return numpy.asarray(y)
        places = {name: index for index, name in enumerate(self.source.classes)}
        unknown = [name for name in y if str(name) not in places]
        if unknown:
            raise ValueError(f"y: {unknown[0]!r} is none of the classes {', '.join(self.source.classes)}")
        return numpy.array([places[str(name)] for name in y])

    def __reduce__(self):
        return _restored, (self._method, self.source, self.options, self.state())

    def __repr__(self):
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{type(self).__name__}({self.source!r}{', ' if options else ''}{options})"


def _signature(options):
    parameters = [
        inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        inspect.Parameter("source", inspect.Parameter.POSITIONAL_OR_KEYWORD),
    ]
    for name, default, _, _ in options:
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    return inspect.Signature(parameters)


def _documentation(summary, options):
    lines = [summary[0].upper() + summary[1:] + "."]
    if options:
        lines += ["", "Options:"]
    lines += [f"    {name} = {default}: {text}; {rule}" for name, default, rule, text in options]
    return "\n".join(lines)


def _make_class(name, method):
    summary, options = next((text, list_) for found, text, list_ in _stad.methods() if found == method)
    made = type(name, (Adapter,), {"_method": method, "__doc__": _documentation(summary, options),
                                   "__module__": "stad"})

    def __init__(self, source, **options_):
        Adapter.__init__(self, source, **options_)

    __init__.__signature__ = _signature(options)
    made.__init__ = __init__
    return made


Source = _make_class("Source", "source")
T3A = _make_class("T3A", "t3a")
Lame = _make_class("Lame", "lame")
StadVmf = _make_class("StadVmf", "stad-vmf")
StadGauss = _make_class("StadGauss", "stad-gauss")
StadSafe = _make_class("StadSafe", "stad-safe")

_classes = {made._method: made for made in (Source, T3A, Lame, StadVmf, StadGauss, StadSafe)}


def make_adapter(method, source, **options):
    """The adapter of a method by its name, such as "stad-safe"."""
    if method not in _classes:
        raise ValueError(f"method is {method!r}, must be one of {', '.join(_classes)}")
    return _classes[method](source, **options)


def methods():
    """Names and summaries of the methods."""
    return {name: summary for name, summary, _ in _stad.methods()}


def _restored(method, source, options, state):
    adapter = make_adapter(method, source, **options)
    adapter.restore(state)
    return adapter
