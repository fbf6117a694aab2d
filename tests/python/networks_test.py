"""Networks: images as input, predictions equal to those of the command."""

import inspect
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest

import hypothesis
import numpy
from hypothesis import strategies
from hypothesis.extra import numpy as arrays

import stad
from arrays_test import Exchange
from stad.adapters import _text

SHAPE = (3, 16, 20)  # all extents differ, so that swapped axes are noticed
CLASSES = [stad.Bn, stad.Tent, stad.Cotta, stad.Shot, stad.Sar, stad.Cmf, stad.Rotta, stad.StadVmfBn, stad.StadGaussBn,
           stad.Source, stad.T3A, stad.StadVmf, stad.StadGauss, stad.Prior, stad.StadSafe]
FAST = {stad.Cotta: {"augmentations": 2}, stad.Rotta: {"memory": 16, "update_every": 16}}


def drawn_images(count, seed):
    """Class 0 is bright in the upper half, class 1 in the lower: uint8, channels last."""
    random = numpy.random.default_rng(seed)
    labels = random.integers(2, size=count)
    images = random.integers(0, 160, size=(count, 16, 20, 3))
    for image, label in zip(images, labels):
        image[:8 if label else 16, :, 1] += 60
    return images.astype(numpy.uint8), labels


def command(*words):
    return subprocess.run([os.environ["STAD_COMMAND"], *map(str, words)], check=True, capture_output=True, text=True)


def setUpModule():
    global folder, network, images, labels
    try:
        stad.open_network(b"", SHAPE)
    except ImportError as reason:
        raise unittest.SkipTest(f"networks were not tested: {reason}")
    except ValueError:
        pass  # not a network, but the component is available
    holder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(holder.cleanup)
    folder = holder.name
    train_images, train_labels = drawn_images(64, seed=1)
    numpy.savez(f"{folder}/train.npz", images=train_images, labels=train_labels)
    command("train", "--images", f"{folder}/train.npz", "--out", f"{folder}/net.pt", "--epochs", 2, "--threads", 1,
            "--quiet")
    images, labels = drawn_images(48, seed=2)
    numpy.savez(f"{folder}/images.npz", images=images, labels=labels, time=numpy.arange(48) // 16)
    network = stad.open_network(f"{folder}/net.pt", SHAPE)


def batches():
    return [images[first:first + 16] for first in range(0, 48, 16)]


def make(method):
    return method(network, **FAST.get(method, {}))


class Networks(unittest.TestCase):
    def test_describe_themselves(self):
        self.assertEqual(network.shape, SHAPE)
        self.assertEqual(network.source.weight.shape[0], 2)
        self.assertGreater(network.info["batch_norms"], 0)
        self.assertIn("images of 3 x 16 x 20", repr(network))

    def test_give_the_features_of_the_command(self):
        command("features", "--model", f"{folder}/net.pt", "--images", f"{folder}/images.npz", "--out",
                f"{folder}/features.npz", "--quiet")
        numpy.testing.assert_array_equal(network.features(images), numpy.load(f"{folder}/features.npz")["features"])

    def test_take_mean_and_names_of_a_head(self):
        with self.assertRaisesRegex(ValueError, "needs a feature mean"):
            stad.StadVmf(network, center="source")
        head = network.source
        named = network.with_source(stad.SourceModel(head.weight, head.bias, network.features(images).mean(axis=0),
                                                     ["low", "high"]))
        adapter = stad.StadVmf(named, center="source")
        self.assertEqual(set(adapter.predict(images)) | {"low", "high"}, {"low", "high"})
        again = pickle.loads(pickle.dumps(adapter))
        self.assertEqual(list(again.classes_), ["low", "high"])
        with self.assertRaisesRegex(ValueError, "differs from the network's layer"):
            network.with_source(stad.SourceModel(head.weight + 1, head.bias))

    def test_open_from_bytes_and_reject_other_files(self):
        file = pathlib.Path(f"{folder}/net.pt").read_bytes()
        numpy.testing.assert_array_equal(stad.open_network(file, SHAPE).features(images), network.features(images))
        with self.assertRaises(FileNotFoundError):
            stad.open_network(f"{folder}/absent.pt", SHAPE)
        for file, shape, head, reason in ((b"no network", SHAPE, "", "^file: "),
                                          (f"{folder}/net.pt", SHAPE, "tail", "net.pt: .*tail"),
                                          (f"{folder}/net.pt", (1, 16, 20), "", "does not take images of 1 x 16 x 20"),
                                          (f"{folder}/net.pt", (0, 16, 20), "", "must be at least 1 x 1 x 1"),
                                          (f"{folder}/net.pt", (16, 20), "", "has 2 values, must have 3")):
            with self.subTest(reason), self.assertRaisesRegex(ValueError, reason):
                stad.open_network(file, shape, head=head)

    def test_are_required_by_methods_that_adapt_them(self):
        with self.assertRaisesRegex(ValueError, "tent: adapts the network"):
            stad.Tent(network.source)
        with self.assertRaisesRegex(TypeError, "is a str, must be a SourceModel or a Network"):
            stad.StadSafe("net.pt")


class Methods(unittest.TestCase):
    def test_have_the_options_of_the_library(self):
        self.assertEqual(set(stad.network_methods()), {made._method for made in CLASSES[:9]} | {"oracle"})
        for method in CLASSES:
            defaults = {name: _text(parameter.default) for name, parameter in
                        inspect.signature(method.__init__).parameters.items() if name not in ("self", "source")}
            self.assertEqual(defaults, method(network).options)
        self.assertEqual(stad.Tent(network, learning_rate=0.5).options["learning_rate"], "0.5")

    def test_take_labels_as_on_the_features_of_the_network(self):
        options = {"label_budget": 20, "label_period": 48, "candidates": ["fine-tune", "prior"]}
        on_images, on_features = stad.StadSafe(network, **options), stad.StadSafe(network.source, **options)
        features = network.features(images)
        others = 1 - stad.Source(network).answer(images).labels  # so that fine-tune differs from the source
        for uniform in (False, True):
            self.assertEqual(on_images.observe_rows(images, others, uniform), (48, 0))
            on_features.observe_rows(features, others, uniform)
            candidates = on_images.health()["candidates"]
            self.assertEqual(candidates, on_features.health()["candidates"])
            self.assertEqual(candidates[0]["wealth"] != 1, uniform)
        ids = numpy.arange(48)
        requests = on_images.adapt(images, ids=ids).label_requests
        self.assertGreater(len(requests), 0)
        numpy.testing.assert_array_equal(requests, on_features.adapt(features, ids=ids).label_requests)
        self.assertEqual(on_images.observe(requests, labels[requests]), (len(requests), 0))
        self.assertEqual(on_images.health()["pending_requests"], 0)

    def test_equal_the_command(self):
        for method in CLASSES:
            with self.subTest(method._method):
                options = [word for name, value in FAST.get(method, {}).items() for word in ("-O", f"{name}={value}")]
                command("adapt", "--method", method._method, *options, "--model", f"{folder}/net.pt", "--images",
                        f"{folder}/images.npz", "--batch-size", 16, "--threads", 1, "--out", f"{folder}/out.npz", "--quiet")
                expected = numpy.load(f"{folder}/out.npz")
                adapter = make(method)
                answers = [adapter.adapt(batch, time=step) for step, batch in enumerate(batches())]
                self.assertIs(adapter.network, network)
                self.assertIn("confidence", answers[0].health)
                numpy.testing.assert_array_equal(numpy.concatenate([answer.probabilities for answer in answers]),
                                                 expected["probabilities"])
                report = stad.evaluate(make(method), stad.read_images(f"{folder}/images.npz"), batch_size=16)
                numpy.testing.assert_array_equal(report["probabilities"], expected["probabilities"])
                self.assertAlmostEqual(report["accuracy"], (report["labels"] == labels).mean())

    def test_continue_from_a_state_and_from_a_pickle(self):
        for method in CLASSES:
            with self.subTest(method._method):
                whole = make(method)
                whole.adapt(batches()[0])
                restored = make(method)
                restored.restore(whole.state())
                unpickled = pickle.loads(pickle.dumps(whole))
                self.assertIs(type(unpickled), method)
                expected = whole.adapt(batches()[1]).probabilities
                numpy.testing.assert_array_equal(restored.adapt(batches()[1]).probabilities, expected)
                numpy.testing.assert_array_equal(unpickled.adapt(batches()[1]).probabilities, expected)

    def test_compare_with_an_oracle(self):
        stream = stad.ImageStream(images, labels, numpy.arange(48) // 16)
        labelled, rest = stad.split_labelled(stream, share=0.25)
        self.assertEqual((len(labelled), len(rest)), (12, 36))
        oracle = stad.Oracle(network, labelled, seed=3)
        self.assertEqual(oracle.options["seed"], "3")
        oracle.adapt(batches()[0], time=0)
        unpickled = pickle.loads(pickle.dumps(oracle))
        numpy.testing.assert_array_equal(unpickled.adapt(batches()[1], time=1).probabilities,
                                         oracle.adapt(batches()[1], time=1).probabilities)
        with self.assertRaisesRegex(ValueError, "labelled: has images of 1 x 16 x 20"):
            stad.Oracle(network, stad.ImageStream(images[..., 0], labels))

    def test_reject_streams_of_other_images(self):
        with self.assertRaisesRegex(ValueError, "images of 1 x 16 x 20 .*, must have 3 x 16 x 20"):
            stad.evaluate(stad.Bn(network), stad.ImageStream(images[..., 0]))
        with self.assertRaisesRegex(ValueError, "the adapter has no network"):
            stad.evaluate(stad.StadSafe(network.source), stad.ImageStream(images))


class Images(unittest.TestCase):
    def test_of_every_layout_give_the_same_bits(self):
        floats = (images / numpy.float32(255)).transpose(0, 3, 1, 2)
        expected = network.features(images)
        self.assertEqual(floats.dtype, numpy.float32)
        wide = numpy.zeros((48, 3, 16, 40), dtype=numpy.float32)
        wide[..., ::2] = floats
        kinds = [floats, numpy.ascontiguousarray(floats), numpy.asfortranarray(floats), floats.astype(float),
                 floats.reshape(48, -1), wide[..., ::2], images[::-1][::-1], numpy.asfortranarray(images),
                 Exchange(numpy.ascontiguousarray(floats)), floats.tolist()]
        for kind in kinds:
            numpy.testing.assert_array_equal(network.features(kind), expected)
        numpy.testing.assert_array_equal(stad.ImageStream(images).images, floats)
        numpy.testing.assert_array_equal(stad.read_images(f"{folder}/images.npz").images, floats)
        self.assertEqual(stad.ImageStream(images[..., 0]).shape, (1, 16, 20))

    def test_that_are_invalid_are_rejected_with_a_reason(self):
        adapter = stad.Tent(network)
        before = adapter.state()
        for wrong, reason in ((images.astype(int), "^images: has values of type int64, must be uint8"),
                              (images / 255, "floats have their channels first"),
                              (images.transpose(0, 3, 1, 2), "uint8 has its channels last"),
                              (images[..., 0], "images of 1 x 16 x 20"), (images.reshape(48, -1), "must be uint8 of N x H"),
                              (numpy.zeros((2, 7)), "7 columns"), (images[0, :, 0, 0], "must be uint8 of N x H"),
                              (images[:0], "no rows"), (numpy.full((1, *SHAPE), numpy.nan), "nan"),
                              (numpy.zeros((1, *SHAPE), dtype=complex), "complex"), (None, "object")):
            with self.subTest(reason), self.assertRaisesRegex(ValueError, reason):
                adapter.adapt(wrong)
        self.assertEqual(adapter.state(), before)

    @hypothesis.settings(deadline=None, max_examples=50, database=None)
    @hypothesis.given(strategies.data())
    def test_of_any_kind_are_predicted_or_rejected(self, data):
        kind = data.draw(strategies.sampled_from(["f2", "f4", "f8", "i4", "u1", "?", "c8", "S3"]))
        axes = data.draw(strategies.permutations(SHAPE))
        values = data.draw(arrays.arrays(kind, (data.draw(strategies.integers(0, 2)), *axes),
                                         fill=strategies.just(numpy.zeros(1, kind)[0])))
        try:
            features = network.features(values)
        except ValueError:
            return
        self.assertEqual(features.shape[0], values.shape[0])
        self.assertEqual(tuple(axes), SHAPE if kind != "u1" else (16, 20, 3))


class Processes(unittest.TestCase):
    """Behaviour that is decided once in a process, tested in processes of their own."""

    def run_script(self, script, **environment):
        return subprocess.run([sys.executable, "-c", script], env=dict(os.environ, **environment), capture_output=True,
                              text=True)

    def test_without_the_component_raise_import_error(self):
        library = next(path for path in linked_libraries() if path.name.startswith("libstad.so"))
        with tempfile.TemporaryDirectory() as alone:
            shutil.copy(library, f"{alone}/libstad.so.0")
            run = self.run_script("import stad; stad.Tent; stad.open_network(b'', (1, 2, 3))", LD_LIBRARY_PATH=alone)
        self.assertIn("ImportError: the torch component cannot be loaded", run.stderr)

    def test_with_torch_in_either_order_give_the_same_bits(self):
        adapt = f"""
import numpy, stad
images = numpy.load({folder!r} + "/images.npz")["images"]
adapter = stad.Tent(stad.open_network({folder!r} + "/net.pt", {SHAPE}))
adapter.adapt(images)
print(adapter.adapt(images).probabilities.tobytes().hex())
"""
        learn = """
import torch
weight = torch.ones(4, requires_grad=True)
(weight * weight).sum().backward()
assert weight.grad.tolist() == [2, 2, 2, 2]
"""
        if self.run_script("import torch").returncode != 0:
            self.skipTest("torch is missing; install python3-torch")
        alone = self.run_script(adapt)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        for script in (adapt + learn, learn + adapt + learn):
            run = self.run_script(script)
            self.assertEqual((run.returncode, run.stdout), (0, alone.stdout), run.stderr)

    def test_with_torch_accept_its_tensors(self):
        script = f"""
import torch, numpy, stad
images = numpy.load({folder!r} + "/images.npz")["images"]
network = stad.open_network({folder!r} + "/net.pt", {SHAPE})
tensor = torch.tensor(images).permute(0, 3, 1, 2).float() / 255
numpy.testing.assert_array_equal(network.features(tensor), network.features(images))
"""
        if self.run_script("import torch").returncode != 0:
            self.skipTest("torch is missing; install python3-torch")
        run = self.run_script(script)
        self.assertEqual(run.returncode, 0, run.stderr)


def linked_libraries():
    """Shared libraries mapped into this process."""
    maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
    return {pathlib.Path(line.split(maxsplit=5)[5]) for line in maps if len(line.split(maxsplit=5)) == 6}


class Yearbook(unittest.TestCase):
    def test_equals_the_command(self):
        data = pathlib.Path(os.environ["STAD_SHARED_DIR"]) / "data/yearbook"
        if not (data / "yearbook32.npz").exists():
            self.skipTest(f"real images were not tested: {data}/yearbook32.npz is not there")
        everything = numpy.load(data / "yearbook32.npz")
        rows = numpy.flatnonzero(everything["year"] >= 1970)[::14]  # classes and years mixed
        numpy.savez(f"{folder}/yearbook.npz", x=everything["x"][rows], y=everything["y"][rows])
        model = data / "yearbook_cnn_seed0.pt"
        command("adapt", "--method", "tent", "--model", model, "--images", f"{folder}/yearbook.npz", "--batch-size", 100,
                "--threads", 1, "--out", f"{folder}/out.npz", "--quiet")
        expected = numpy.load(f"{folder}/out.npz")["probabilities"]
        stream = stad.read_images(f"{folder}/yearbook.npz")
        report = stad.evaluate(stad.Tent(stad.open_network(model, stream.shape)), stream, batch_size=100)
        numpy.testing.assert_array_equal(report["probabilities"], expected)
        self.assertGreater(report["accuracy"], 0.7)


if __name__ == "__main__":
    unittest.main()
