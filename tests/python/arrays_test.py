"""Conversion of arrays: correct predictions, or ValueError."""

import concurrent.futures
import gc
import threading
import weakref
import unittest

import hypothesis
import numpy
from hypothesis import strategies
from hypothesis.extra import numpy as arrays

import stad
from stad import live as live_module

SOURCE, STREAM = stad.simulate(steps=2, samples=64, classes=3, dimension=8, seed=2)
ROWS = numpy.array(STREAM.features[:16])


def probabilities(rows):
    return stad.StadSafe(SOURCE).adapt(rows).probabilities


class Exchange:
    """A tensor of another library that offers only DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class WithArrayMethod:
    """A tensor of another library that offers only __array__."""

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
                     ROWS[::-1][::-1], ROWS.tolist(), WithArrayMethod(ROWS), Exchange(ROWS.copy())):
            numpy.testing.assert_array_equal(probabilities(rows), expected)

    def test_that_are_invalid_are_rejected_with_a_reason(self):
        for rows, reason in ((numpy.zeros(8), "1 dimension"), (numpy.zeros((2, 2, 8)), "3 dimensions"),
                             (numpy.zeros((2, 7)), "7 columns"), (numpy.zeros((0, 8)), "no rows"),
                             (numpy.full((1, 8), numpy.nan), "nan"), (numpy.full((1, 8), 1e300), "inf"),
                             (numpy.zeros((1, 8), dtype=complex), "must be numbers"), ([["a"] * 8], "must be numbers"),
                             (None, "must be numbers"), ([[1, 2], [3]], "")):
            with self.subTest(reason), self.assertRaisesRegex(ValueError, reason):
                probabilities(rows)

    def test_that_numpy_cannot_convert_are_rejected_by_name(self):
        large = numpy.full((1, 8), 1e300)
        with numpy.errstate(over="raise"):
            with self.assertRaisesRegex(ValueError, "^features: cannot be converted to floats: overflow"):
                probabilities(large)
            with self.assertRaisesRegex(ValueError, "^bias: cannot be converted to floats: overflow"):
                stad.SourceModel(SOURCE.weight, bias=large[0, :3])
            with self.assertRaisesRegex(ValueError, "^images: cannot be converted to floats: overflow"):
                stad.ImageStream(large.reshape(1, 2, 4))

    def test_keep_their_owners_alive(self):
        source, stream = stad.simulate(steps=1, samples=64, classes=3, dimension=8, seed=3)
        adapter = stad.StadSafe(source)
        answer = adapter.adapt(stream.features)
        seen = [answer.labels, answer.probabilities, stream.features, source.weight, source.bias, source.mean,
                adapter.source.weight, adapter.prototypes()]
        values = [array.copy() for array in seen]
        del source, stream, adapter, answer
        gc.collect()
        # Overwrites memory that was freed too early.
        others = [numpy.full(array.shape, 7, array.dtype) for array in seen * 100]
        for array, value in zip(seen, values):
            numpy.testing.assert_array_equal(array, value)
        for array in seen[:-1]:
            self.assertFalse(array.flags.writeable)
        del others

    @hypothesis.settings(deadline=None, max_examples=500, database=None)
    @hypothesis.given(strategies.data())
    def test_of_any_kind_are_predicted_or_rejected(self, data):
        kind = data.draw(strategies.sampled_from(["f2", "f4", "f8", "i4", "u1", "?", "c8", "S3", "M8[s]", "O"]))
        # Numbers of columns that fit, also with a step of 2.
        rows = strategies.tuples(strategies.integers(0, 9), strategies.sampled_from([8, 16]))
        shape = data.draw(rows | arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9))
        small = kind in ("f2", "f4", "f8") and data.draw(strategies.booleans())
        elements = {"min_value": -9, "max_value": 9} if small else None
        values = data.draw(arrays.arrays(kind, shape, elements=elements)) if kind != "O" else numpy.full(shape, None)
        values.setflags(write=data.draw(strategies.booleans()))
        steps = tuple(slice(None, None, data.draw(strategies.sampled_from([1, 2, -1]))) for _ in shape)
        seen = values[steps] if shape else values
        adapter = stad.StadSafe(SOURCE)
        before = adapter.state()
        with numpy.errstate(over="ignore"):  # float64 beyond the range of float32 is rejected as infinite
            try:
                answer = adapter.adapt(seen)
            except ValueError:
                self.assertEqual(adapter.state(), before)
                return
        self.assertTrue(numpy.isfinite(answer.probabilities).all())
        self.assertEqual(answer.probabilities.shape, (seen.shape[0], 3))
        contiguous = numpy.array(seen, dtype=numpy.float32, order="C")
        numpy.testing.assert_array_equal(answer.probabilities, probabilities(contiguous))


class Torch(unittest.TestCase):
    def setUp(self):
        try:
            import torch
        except ImportError:
            self.skipTest("torch is missing; install python3-torch")
        self.torch = torch

    def test_tensors_are_arrays(self):
        tensor = self.torch.tensor(ROWS)
        numpy.testing.assert_array_equal(probabilities(tensor), probabilities(ROWS))
        with self.assertRaisesRegex(ValueError, "^features: is not an array: .*requires grad[^\n]*$"):
            probabilities(tensor.requires_grad_())

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

    def test_a_model_does_not_keep_its_inputs_alive(self):
        kept = []

        class Model(self.torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = layer

            def forward(self, inputs, fail=False):
                features = inputs * 1
                kept.append(weakref.ref(features))
                outputs = self.fc(features)
                if fail:
                    raise OSError("after the last layer")
                return outputs

        layer = self.torch.nn.Linear(8, 3)
        model = Model()
        live = stad.LiveModel(model, "source")
        rows = self.torch.randn(4, 8, requires_grad=True)
        model(rows).sum().backward()  # without the live model
        with self.assertRaises(OSError):
            live(rows, fail=True)
        live(rows)
        gc.collect()
        self.assertEqual([features() for features in kept], [None] * 3)
        self.assertIsNone(live_module._captured.features)
        self.assertEqual(len(layer._forward_pre_hooks), 1)
        del live
        self.assertEqual(len(layer._forward_pre_hooks), 0)

    def test_a_model_in_two_threads_keeps_their_inputs_apart(self):
        met = threading.Barrier(2)  # both threads have passed the last layer

        class Model(self.torch.nn.Module):
            def __init__(self, layer):
                super().__init__()
                self.fc = layer

            def forward(self, inputs):
                outputs = self.fc(inputs)
                met.wait()
                return outputs

        self.torch.manual_seed(1)
        model = Model(self.torch.nn.Linear(8, 3))
        live = stad.LiveModel(model, "source")
        inputs = [self.torch.randn(4, 8) for _ in range(2)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(live, inputs))
        for rows, answer in zip(inputs, answers):
            expected = self.torch.softmax(rows @ model.fc.weight.T + model.fc.bias, dim=1).detach()
            numpy.testing.assert_allclose(answer, expected, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
