"""Adapts one batch with the installed module, which must be located below the given folder."""

import pathlib
import sys

import numpy
import stad

assert pathlib.Path(stad.__file__).as_posix().startswith(sys.argv[1]), stad.__file__
source, stream = stad.simulate(drift="rapid", steps=4)
answer = stad.StadSafe(source).adapt(numpy.asarray(stream.features)[:64])
assert answer.labels.shape == (64,)
numpy.testing.assert_allclose(answer.probabilities.sum(axis=1), 1, rtol=1e-5)
print("adapted", len(answer.labels), "rows with", stad.__file__)
