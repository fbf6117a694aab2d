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

class Answer:
    @property
    def labels(self) -> NDArray[numpy.int64]: ...
    @property
    def probabilities(self) -> NDArray[numpy.float32]: ...
    @property
    def unknown(self) -> NDArray[numpy.float32] | None: ...
    @property
    def undirected(self) -> int: ...
    @property
    def restarted(self) -> int: ...
    @property
    def health(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...

class Adapter:
    @property
    def method(self) -> str: ...
    @property
    def source(self) -> SourceModel: ...
    @property
    def options(self) -> dict[str, str]: ...
    @property
    def classes_(self) -> NDArray[Any]: ...
    def adapt(self, features: ArrayLike, time: float | None = None, ids: ArrayLike | None = None) -> Answer: ...
    def answer(self, features: ArrayLike) -> Answer: ...
    def observe(self, ids: ArrayLike, labels: ArrayLike) -> tuple[int, int]: ...
    def observe_rows(self, features: ArrayLike, labels: ArrayLike) -> tuple[int, int]: ...
    def state(self) -> bytes: ...
    def restore(self, state: bytes) -> None: ...
    def prototypes(self) -> NDArray[numpy.float32]: ...
    def health(self) -> dict[str, Any]: ...
    def watch(self, level: Level) -> None: ...
    def partial_fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Adapter: ...
    def predict(self, X: ArrayLike) -> NDArray[Any]: ...
    def predict_proba(self, X: ArrayLike) -> NDArray[numpy.float32]: ...

class Source(Adapter):
    def __init__(self, source: SourceModel) -> None: ...

class T3A(Adapter):
    def __init__(self, source: SourceModel, *, supports: int | Literal["all"] | None = 100) -> None: ...

class Lame(Adapter):
    def __init__(self, source: SourceModel, *, neighbours: int = 5) -> None: ...

class StadVmf(Adapter):
    def __init__(
        self,
        source: SourceModel,
        *,
        kappa_trans: float = 100,
        kappa_ems: float = 100,
        kappa_0: float = 100,
        window: int = 3,
        sweeps: int = 1,
        init: Init = "source",
        learn_kappa: Literal["none", "global", "class"] = "none",
        center: Center = "none",
        dynamics: bool = True,
        predict: Predict = "after",
        probabilities: Literal["paper", "scaled", "posterior"] = "scaled",
    ) -> None: ...

class StadGauss(Adapter):
    def __init__(
        self,
        source: SourceModel,
        *,
        window: int = 3,
        sweeps: int = 1,
        init: Init = "source",
        center: Center = "none",
        initial_variance: float = 1,
        learn_transition: bool = True,
        dynamics: bool = True,
        predict: Predict = "after",
        score: Literal["dot", "unit", "likelihood"] = "dot",
        force: bool = False,
    ) -> None: ...

class StadSafe(Adapter):
    def __init__(self, source: SourceModel, *, unknown: bool = False) -> None: ...

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

def make_adapter(method: str, source: SourceModel, **options: Any) -> Adapter: ...
def methods() -> dict[str, str]: ...
def read_source(path: str) -> SourceModel: ...
def read_stream(path: str) -> Stream: ...
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
    stream: Stream,
    *,
    batch_size: int | None = None,
    order: Order = "as-is",
    seed: int = 0,
    since: float | None = None,
    until: float | None = None,
    sort_by_time: bool = False,
) -> dict[str, Any]: ...
def plot_accuracy(reports: Mapping[str, dict[str, Any]], ax: Any = None) -> Any: ...
