"""Arrays of every kind: the right answer, or ValueError."""

import unittest

import hypothesis
import numpy
from hypothesis import strategies
from hypothesis.extra import numpy as arrays

import stad

SOURCE, STREAM = stad.simulate(steps=2, samples=64, classes=3, dimension=8, seed=2)
ROWS = numpy.array(STREAM.features[:16])


def probabilities(rows):
    return stad.StadSafe(SOURCE).adapt(rows).probabilities


class Exchange:
    """What another library's tensor shows."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Seen:
    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None):
        return self.array if dtype is None else self.array.astype(dtype)


class Arrays(unittest.TestCase):
    def test_of_every_layout_give_the_same_bits(self):
        wide = numpy.zeros((32, 17), dtype=numpy.float32)
        wide[::2, 3:11] = ROWS
        frozen = ROWS.copy()
        frozen.setflags(write=False)
        expected = probabilities(ROWS)
        for rows in (ROWS.astype(float), ROWS.astype(">f4"), numpy.asfortranarray(ROWS), wide[::2, 3:11], frozen,
                     ROWS[::-1][::-1], ROWS.tolist(), Seen(ROWS), Exchange(ROWS.copy())):
            numpy.testing.assert_array_equal(probabilities(rows), expected)

    def test_that_are_wrong_are_refused_with_a_reason(self):
        for rows, reason in ((numpy.zeros(8), "1 dimension"), (numpy.zeros((2, 2, 8)), "3 dimensions"),
                             (numpy.zeros((2, 7)), "7 columns"), (numpy.zeros((0, 8)), "no rows"),
                             (numpy.full((1, 8), numpy.nan), "nan"), (numpy.full((1, 8), 1e300), "inf"),
                             (numpy.zeros((1, 8), dtype=complex), "must be numbers"), ([["a"] * 8], "must be numbers"),
                             (None, "must be numbers"), ([[1, 2], [3]], "")):
            with self.subTest(reason), self.assertRaisesRegex(ValueError, reason):
                probabilities(rows)

    @hypothesis.settings(deadline=None, max_examples=200)
    @hypothesis.given(strategies.data())
    def test_of_any_kind_are_answered_or_refused(self, data):
        kind = data.draw(strategies.sampled_from(["f2", "f4", "f8", "i4", "u1", "?", "c8", "S3", "M8[s]", "O"]))
        shape = data.draw(arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9))
        values = data.draw(arrays.arrays(kind, shape)) if kind != "O" else numpy.full(shape, None)
        steps = tuple(slice(None, None, data.draw(strategies.sampled_from([1, 2, -1]))) for _ in shape)
        adapter = stad.StadSafe(SOURCE)
        before = adapter.state()
        try:
            answer = adapter.adapt(values[steps] if shape else values)
        except ValueError:
            self.assertEqual(adapter.state(), before)
        else:
            self.assertTrue(numpy.isfinite(answer.probabilities).all())
            self.assertEqual(answer.probabilities.shape, (values[steps].shape[0], 3))


class Torch(unittest.TestCase):
    def setUp(self):
        try:
            import torch
        except ImportError:
            self.skipTest("torch is missing; python3-torch has it")
        self.torch = torch

    def test_tensors_are_arrays(self):
        tensor = self.torch.tensor(ROWS)
        numpy.testing.assert_array_equal(probabilities(tensor), probabilities(ROWS))

    def test_a_model_adapts_in_two_lines(self):
        nn = self.torch.nn
        self.torch.manual_seed(1)
        model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3))
        live = stad.LiveModel(model, "source")
        images = self.torch.randn(6, 5)
        expected = self.torch.softmax(model(images), dim=1).detach()
        numpy.testing.assert_allclose(live(images), expected, atol=1e-6)
        with self.assertRaisesRegex(ValueError, "no nn.Linear"):
            stad.from_torch(nn.ReLU())


if __name__ == "__main__":
    unittest.main()
