import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy
from numpy.typing import ArrayLike, NDArray

__version__: str

Level = Literal["none", "basic", "full"]
Drift = Literal["none", "recurring", "progressive", "rapid", "abrupt"]
Order = Literal["as-is", "shuffled", "sorted"]
Init = Literal["source", "previous"]
Center = Literal["none", "source"]
Predict = Literal["after", "before"]
LearnKappa = Literal["none", "global", "class"]
Probabilities = Literal["paper", "scaled", "posterior"]
Score = Literal["dot", "unit", "likelihood"]
NormaliseKind = Literal["recentre", "half", "standardise"]
LabelUnit = Literal["rows", "time"]
Shape = tuple[int, int, int]  # channels, height, width

class SourceModel:
    def __init__(
        self,
        weight: ArrayLike,
        bias: ArrayLike | None = None,
        mean: ArrayLike | None = None,
        classes: Sequence[str] | None = None,
    ) -> None: ...
    @property
    def weight(self) -> NDArray[numpy.float32]: ...
    @property
    def bias(self) -> NDArray[numpy.float32] | None: ...
    @property
    def mean(self) -> NDArray[numpy.float32] | None: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def named(self) -> bool: ...
    @property
    def card(self) -> dict[str, Any]: ...
    def with_card(self, features: ArrayLike, labels: ArrayLike) -> SourceModel: ...

class Network:
    def __init__(self, file: bytes, shape: Sequence[int], head: str = "") -> None: ...
    @property
    def source(self) -> SourceModel: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def info(self) -> dict[str, Any]: ...
    def with_source(self, source: SourceModel) -> Network: ...
    def features(self, images: ArrayLike) -> NDArray[numpy.float32]: ...

class Answer:
    @property
    def labels(self) -> NDArray[numpy.int64]: ...
    @property
    def probabilities(self) -> NDArray[numpy.float32]: ...
    @property
    def undirected(self) -> int: ...
    @property
    def restarted(self) -> int: ...
    @property
    def label_requests(self) -> NDArray[numpy.int64]: ...
    @property
    def health(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...

class Adapter:
    @property
    def method(self) -> str: ...
    @property
    def source(self) -> SourceModel: ...
    @property
    def network(self) -> Network | None: ...
    @property
    def options(self) -> dict[str, str]: ...
    @property
    def classes_(self) -> NDArray[Any]: ...
    def adapt(self, features: ArrayLike, time: float | None = None, ids: ArrayLike | None = None) -> Answer: ...
    def answer(self, features: ArrayLike) -> Answer: ...
    def observe(self, ids: ArrayLike, labels: ArrayLike) -> tuple[int, int]: ...
    def observe_rows(
        self, features: ArrayLike, labels: ArrayLike, uniform_sample: bool = False
    ) -> tuple[int, int]: ...
    def state(self) -> bytes: ...
    def restore(self, state: bytes) -> None: ...
    def prototypes(self) -> NDArray[numpy.float32]: ...
    def health(self) -> dict[str, Any]: ...
    def watch(self, level: Level) -> None: ...
    def partial_fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Adapter: ...
    def predict(self, X: ArrayLike) -> NDArray[Any]: ...
    def predict_proba(self, X: ArrayLike) -> NDArray[numpy.float32]: ...

class Source(Adapter):
    def __init__(self, source: SourceModel | Network) -> None: ...

class T3A(Adapter):
    def __init__(self, source: SourceModel | Network, *, supports: int | Literal["all"] | None = 100) -> None: ...

class Lame(Adapter):
    def __init__(self, source: SourceModel | Network, *, neighbours: int = 5) -> None: ...

class StadVmf(Adapter):
    def __init__(
        self,
        source: SourceModel | Network,
        *,
        kappa_trans: float = 100,
        kappa_ems: float = 100,
        kappa_0: float = 100,
        window: int = 3,
        sweeps: int = 1,
        init: Init = "source",
        learn_kappa: LearnKappa = "none",
        center: Center = "none",
        dynamics: bool = True,
        predict: Predict = "after",
        probabilities: Probabilities = "scaled",
    ) -> None: ...

class StadGauss(Adapter):
    def __init__(
        self,
        source: SourceModel | Network,
        *,
        window: int = 3,
        sweeps: int = 1,
        init: Init = "source",
        center: Center = "none",
        initial_variance: float = 1,
        learn_transition: bool = True,
        dynamics: bool = True,
        predict: Predict = "after",
        score: Score = "dot",
        force: bool = False,
    ) -> None: ...

class Normalise(Adapter):
    def __init__(self, source: SourceModel | Network, *, kind: NormaliseKind = "recentre") -> None: ...

class Prior(Adapter):
    def __init__(self, source: SourceModel | Network, *, refresh: int = 64) -> None: ...

class StadSafe(Adapter):
    def __init__(
        self,
        source: SourceModel | Network,
        *,
        label_budget: int = 0,
        label_period: float = 10000,
        label_unit: LabelUnit = "rows",
        label_expiry: int = 10000,
        candidates: str | Sequence[str] = "auto",
        seed: int = 0,
    ) -> None: ...

class Bn(Adapter):
    def __init__(
        self,
        source: Network,
        *,
        source_share: float = 0,
        momentum: float = 1,
    ) -> None: ...

class Tent(Adapter):
    def __init__(self, source: Network, *, learning_rate: float = 0.001) -> None: ...

class Cotta(Adapter):
    def __init__(
        self,
        source: Network,
        *,
        learning_rate: float = 0.001,
        augmentations: int = 32,
        confidence: float = 0.92,
        teacher_momentum: float = 0.999,
        restore: float = 0.01,
        seed: int = 0,
    ) -> None: ...

class Shot(Adapter):
    def __init__(
        self,
        source: Network,
        *,
        learning_rate: float = 0.001,
        beta: float = 0.1,
        confidence: float = 0.9,
        momentum: float = 0.9,
    ) -> None: ...

class Sar(Adapter):
    def __init__(
        self,
        source: Network,
        *,
        learning_rate: float = 0.00025,
        rho: float = 0.05,
        reliable: float = 0.4,
        reset_below: float = 0.2,
        momentum: float = 0.9,
    ) -> None: ...

class Cmf(Adapter):
    def __init__(
        self,
        source: Network,
        *,
        learning_rate: float = 0.00025,
        momentum: float = 0.9,
        alpha: float = 0.99,
        gamma: float = 0.99,
        process_noise: float = 0.005,
        seed: int = 0,
    ) -> None: ...

class Rotta(Adapter):
    def __init__(
        self,
        source: Network,
        *,
        learning_rate: float = 0.001,
        memory: int = 64,
        update_every: int = 64,
        statistics_momentum: float = 0.05,
        teacher_momentum: float = 0.999,
        timeliness: float = 1,
        uncertainty: float = 1,
        seed: int = 0,
    ) -> None: ...

class StadVmfBn(Adapter):
    def __init__(
        self,
        source: Network,
        *,
        kappa_trans: float = 100,
        kappa_ems: float = 100,
        kappa_0: float = 100,
        window: int = 3,
        sweeps: int = 1,
        init: Init = "source",
        learn_kappa: LearnKappa = "none",
        center: Center = "none",
        dynamics: bool = True,
        predict: Predict = "after",
        probabilities: Probabilities = "scaled",
    ) -> None: ...

class StadGaussBn(Adapter):
    def __init__(
        self,
        source: Network,
        *,
        window: int = 3,
        sweeps: int = 1,
        init: Init = "source",
        center: Center = "none",
        initial_variance: float = 1,
        learn_transition: bool = True,
        dynamics: bool = True,
        predict: Predict = "after",
        score: Score = "dot",
        force: bool = False,
    ) -> None: ...

class Oracle(Adapter):
    def __init__(
        self,
        network: Network,
        labelled: ImageStream,
        *,
        learning_rate: float = 0.001,
        share: float = 0.1,
        batch_size: int = 32,
        seed: int = 0,
    ) -> None: ...

class Stream:
    def __init__(
        self,
        features: ArrayLike,
        labels: ArrayLike | None = None,
        time: ArrayLike | None = None,
        name: str = "stream",
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def features(self) -> NDArray[numpy.float32]: ...
    @property
    def labels(self) -> NDArray[numpy.int64] | None: ...
    @property
    def time(self) -> NDArray[numpy.float64] | None: ...
    def __len__(self) -> int: ...

class ImageStream:
    def __init__(
        self,
        images: ArrayLike,
        labels: ArrayLike | None = None,
        time: ArrayLike | None = None,
        name: str = "images",
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def images(self) -> NDArray[numpy.float32]: ...
    @property
    def labels(self) -> NDArray[numpy.int64] | None: ...
    @property
    def time(self) -> NDArray[numpy.float64] | None: ...
    def __len__(self) -> int: ...

class LiveModel:
    model: Any
    adapter: Adapter
    def __init__(
        self,
        model: Any,
        method: str = "stad-safe",
        mean: ArrayLike | None = None,
        classes: Sequence[str] | None = None,
        **options: Any,
    ) -> None: ...
    def __call__(self, *inputs: Any, time: float | None = None, **keywords: Any) -> Any: ...

def make_adapter(method: str, source: SourceModel | Network, **options: Any) -> Adapter: ...
def methods() -> dict[str, str]: ...
def network_methods() -> dict[str, str]: ...
def open_network(file: str | os.PathLike[str] | bytes, shape: Sequence[int], *, head: str = "") -> Network: ...
def split_labelled(
    images: ImageStream, *, learning_rate: float = 0.001, share: float = 0.1, batch_size: int = 32, seed: int = 0
) -> tuple[ImageStream, ImageStream]: ...
def read_images(path: str | os.PathLike[str]) -> ImageStream: ...
def read_source(path: str | os.PathLike[str]) -> SourceModel: ...
def read_stream(path: str | os.PathLike[str]) -> Stream: ...
def from_torch(model: Any, mean: ArrayLike | None = None, classes: Sequence[str] | None = None) -> SourceModel: ...
def from_sklearn(classifier: Any, mean: ArrayLike | None = None) -> SourceModel: ...
def set_threads(count: int) -> None: ...
def simulate(
    drift: Drift = "progressive",
    *,
    steps: int = 20,
    samples: int = 256,
    classes: int = 6,
    dimension: int = 32,
    strength: float = 1.0,
    noise: float = 1.0,
    label_shift: bool = False,
    scattered: bool = False,
    unknown_class: bool = False,
    seed: int = 0,
) -> tuple[SourceModel, Stream]: ...
def evaluate(
    adapter: Adapter,
    stream: Stream | ImageStream,
    *,
    batch_size: int | None = None,
    order: Order = "as-is",
    seed: int = 0,
    since: float | None = None,
    until: float | None = None,
    sort_by_time: bool = False,
    label_delay: int | None = None,
    label_share: float | None = None,
) -> dict[str, Any]: ...
def plot_accuracy(reports: Mapping[str, dict[str, Any]], ax: Any = None) -> Any: ...
