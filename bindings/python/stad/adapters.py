"""The methods, one class each, with the library's options as keywords."""

import ast
import inspect

import numpy

from . import _stad


def _text(value):
    """An option as the library reads it."""
    if isinstance(value, (bool, numpy.bool_)):
        return "on" if value else "off"
    return str(value)


def _value(text):
    """An option as Python writes it."""
    if text in ("on", "off"):
        return text == "on"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _texts(options):
    if options.get("supports", 0) is None:  # how Python says that there is no limit
        options = {**options, "supports": "all"}
    return [(name, _text(value)) for name, value in options.items()]


class Adapter(_stad.Adapter):
    """A classifier that keeps itself fresh. One adapter follows one stream; calls from several threads take turns.

    It starts from a head (SourceModel) and takes features, or from a Network and takes images.
    """

    _method: "str | None" = None  # of subclasses

    def __init__(self, source, **options):
        if self._method is None:
            raise TypeError("Adapter has no method of its own; use StadSafe or another, or stad.make_adapter")
        if not isinstance(source, (_stad.SourceModel, _stad.Network)):
            raise TypeError(f"source: is a {type(source).__name__}, must be a SourceModel or a Network")
        self._begin((self._method, source), options)

    def _begin(self, parts, options):
        """Makes it of what the library takes: the method and the source. Pickles come in here, past the constructors of
        subclasses, which may take anything."""
        super().__init__(*parts, _texts(options))
        self._parts = parts
        self._level = "basic"

    @property
    def network(self):
        """The Network it started from, or None."""
        return self._parts[1] if isinstance(self._parts[1], _stad.Network) else None

    @property
    def source(self):
        """The last layer it started from."""
        return self.network.source if self.network else self._parts[1]

    @property
    def classes_(self):
        """What predict() answers with: the labels of the classifier that from_sklearn() took, else the names of the
        classes, or their indices where there are none."""
        source = self.source
        if hasattr(source, "_labels"):
            return source._labels
        return numpy.array(source.classes) if source.named else numpy.arange(len(source.classes))

    def watch(self, level):
        """How much health is told: none, basic or full."""
        super().watch(level)
        self._level = level

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
        labels = numpy.ravel(y).tolist() if hasattr(self.source, "_labels") else [str(name) for name in y]
        places = {label: index for index, label in enumerate(self.classes_.tolist())}
        unknown = [label for label in labels if label not in places]
        if unknown:
            raise ValueError(f"y: {unknown[0]!r} is none of the classes {', '.join(map(str, places))}")
        return numpy.array([places[label] for label in labels])

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
    """Gives a class its method's text, and its constructor the options as keywords."""
    summary, options = next((text, list_) for name, text, list_ in _stad.methods() + _stad.network_methods()
                            if name == made._method)
    made.__doc__ = _documentation(summary, options)
    made.__init__.__signature__ = _signature(arguments, options)
    return made


def _make_class(name, method):
    def __init__(self, source, **options):
        Adapter.__init__(self, source, **options)

    return _describe(type(name, (Adapter,), {"_method": method, "__module__": "stad", "__init__": __init__}), ("source",))


Source = _make_class("Source", "source")
T3A = _make_class("T3A", "t3a")
Lame = _make_class("Lame", "lame")
StadVmf = _make_class("StadVmf", "stad-vmf")
StadGauss = _make_class("StadGauss", "stad-gauss")
StadSafe = _make_class("StadSafe", "stad-safe")
# These adapt the network itself.
Bn = _make_class("Bn", "bn")
Tent = _make_class("Tent", "tent")
Cotta = _make_class("Cotta", "cotta")
Shot = _make_class("Shot", "shot")
Sar = _make_class("Sar", "sar")
Cmf = _make_class("Cmf", "cmf")
Rotta = _make_class("Rotta", "rotta")
StadVmfBn = _make_class("StadVmfBn", "stad-vmf+bn")
StadGaussBn = _make_class("StadGaussBn", "stad-gauss+bn")

_classes = {made._method: made for made in (Source, T3A, Lame, StadVmf, StadGauss, StadSafe, Bn, Tent, Cotta, Shot, Sar,
                                            Cmf, Rotta, StadVmfBn, StadGaussBn)}


def make_adapter(method, source, **options):
    """The adapter of a method by its name, such as "stad-safe"."""
    if method not in _classes:
        raise ValueError(f"method is {method!r}, must be one of {', '.join(_classes)}")
    return _classes[method](source, **options)


def methods():
    """Names and summaries of the methods that need embeddings alone."""
    return {name: summary for name, summary, _ in _stad.methods()}


def network_methods():
    """Names and summaries of the methods that need a network."""
    return {name: summary for name, summary, _ in _stad.network_methods()}


def _restored(made, parts, options, state, level):
    adapter = made.__new__(made)
    adapter._begin(parts, options)
    Adapter.restore(adapter, state)
    Adapter.watch(adapter, level)
    return adapter
