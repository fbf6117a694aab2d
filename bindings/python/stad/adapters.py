"""The methods, one class each, with the options of the library as keyword arguments."""

import ast
import inspect

import numpy

from . import _stad


def _text(value):
    """An option value as text, as the library parses it."""
    if isinstance(value, (bool, numpy.bool_)):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)) or "none"
    return str(value)


def _value(text):
    """A default value of the library as a Python value."""
    if text in ("on", "off"):
        return text == "on"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _texts(options):
    if options.get("supports", 0) is None:  # None means no limit
        options = {**options, "supports": "all"}
    return [(name, _text(value)) for name, value in options.items()]


class Adapter(_stad.Adapter):
    """A classifier that adapts to one stream. Calls from several threads are serialised.

    Made from a SourceModel it takes features; made from a Network it takes images.
    """

    _method: "str | None" = None  # set by subclasses

    def __init__(self, source, **options):
        if self._method is None:
            raise TypeError("Adapter is abstract; use StadSafe or another method, or stad.make_adapter")
        if not isinstance(source, (_stad.SourceModel, _stad.Network)):
            raise TypeError(f"source: is a {type(source).__name__}, must be a SourceModel or a Network")
        self._begin((self._method, source), options)

    def _begin(self, parts, options):
        """Initialises the adapter from method and source. Unpickling calls this instead of the constructor, whose
        arguments subclasses may change."""
        super().__init__(*parts, _texts(options))
        self._parts = parts
        self._level = "basic"

    @property
    def network(self):
        """The Network the adapter was made from, or None."""
        return self._parts[1] if isinstance(self._parts[1], _stad.Network) else None

    @property
    def source(self):
        """The last layer the adapter was made from."""
        return self.network.source if self.network else self._parts[1]

    @property
    def classes_(self):
        """Labels that predict() returns: those of the classifier given to from_sklearn(), otherwise the names of the
        classes, or their indices if they have no names."""
        source = self.source
        if hasattr(source, "_labels"):
            return source._labels
        return numpy.array(source.classes) if source.named else numpy.arange(len(source.classes))

    def watch(self, level):
        """Sets how much health is computed: none, basic or full."""
        super().watch(level)
        self._level = level

    def partial_fit(self, X, y=None):
        """Adapts to a batch, or to labelled rows if y is given, whose values are those of `classes_`."""
        if y is None:
            self.adapt(X)
        else:
            self.observe_rows(X, self._indices(y))
        return self

    def predict_proba(self, X):
        """N x K probabilities, without adapting."""
        return self.answer(X).probabilities

    def predict(self, X):
        """N labels, without adapting."""
        return self.classes_[self.answer(X).labels]

    def _indices(self, y):
        if not self.source.named:
            return numpy.asarray(y)
        labels = numpy.ravel(y).tolist() if hasattr(self.source, "_labels") else [str(name) for name in y]
        indices = {label: index for index, label in enumerate(self.classes_.tolist())}
        others = [label for label in labels if label not in indices]
        if others:
            raise ValueError(f"y: {others[0]!r} is not one of the classes {', '.join(map(str, indices))}")
        return numpy.array([indices[label] for label in labels])

    def __reduce__(self):
        return _restored, (type(self), self._parts, self.options, self.state(), self._level), self.__dict__

    def __repr__(self):
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{type(self).__name__}({self.network or self.source!r}{', ' if options else ''}{options})"


def _signature(arguments, options):
    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", *arguments)]
    for name, default, _, _ in options:
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_value(default)))
    return inspect.Signature(parameters)


def _documentation(summary, options):
    lines = [summary[0].upper() + summary[1:] + "."]
    if options:
        lines += ["", "Options:"]
    lines += [f"    {name} = {default}: {text}; {rule}" for name, default, rule, text in options]
    return "\n".join(lines)


def _describe(made, arguments):
    """Sets the docstring of a class and the signature of its constructor from the options of its method."""
    summary, options = next((text, list_) for name, text, list_ in _stad.methods() + _stad.network_methods()
                            if name == made._method)
    made.__doc__ = _documentation(summary, options)
    made.__init__.__signature__ = _signature(arguments, options)
    return made


def _make_class(name, method):
    def __init__(self, source, **options):
        Adapter.__init__(self, source, **options)

    members = {"_method": method, "__module__": "stad", "__init__": __init__}
    return _describe(type(name, (Adapter,), members), ("source",))


Source = _make_class("Source", "source")
T3A = _make_class("T3A", "t3a")
Lame = _make_class("Lame", "lame")
StadVmf = _make_class("StadVmf", "stad-vmf")
StadGauss = _make_class("StadGauss", "stad-gauss")
Normalise = _make_class("Normalise", "normalise")
Prior = _make_class("Prior", "prior")
StadSafe = _make_class("StadSafe", "stad-safe")
# These methods adapt the network itself and require a Network.
Bn = _make_class("Bn", "bn")
Tent = _make_class("Tent", "tent")
Cotta = _make_class("Cotta", "cotta")
Shot = _make_class("Shot", "shot")
Sar = _make_class("Sar", "sar")
Cmf = _make_class("Cmf", "cmf")
Rotta = _make_class("Rotta", "rotta")
StadVmfBn = _make_class("StadVmfBn", "stad-vmf+bn")
StadGaussBn = _make_class("StadGaussBn", "stad-gauss+bn")

_classes = {made._method: made for made in (Source, T3A, Lame, StadVmf, StadGauss, Normalise, Prior, StadSafe, Bn, Tent,
                                            Cotta, Shot, Sar, Cmf, Rotta, StadVmfBn, StadGaussBn)}


def make_adapter(method, source, **options):
    """Makes the adapter of a method by name, such as "stad-safe"."""
    if method not in _classes:
        raise ValueError(f"method is {method!r}, must be one of {', '.join(_classes)}")
    return _classes[method](source, **options)


def methods():
    """Names and summaries of the methods that adapt embeddings."""
    return {name: summary for name, summary, _ in _stad.methods()}


def network_methods():
    """Names and summaries of the methods that require a network."""
    return {name: summary for name, summary, _ in _stad.network_methods()}


def _restored(made, parts, options, state, level):
    adapter = made.__new__(made)
    adapter._begin(parts, options)
    Adapter.restore(adapter, state)
    Adapter.watch(adapter, level)
    return adapter
