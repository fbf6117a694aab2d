"""What a user of the package may rely on."""

import ast
import inspect
import os
import pathlib
import pickle
import subprocess
import tempfile
import threading
import unittest

import numpy

import stad

SOURCE, STREAM = stad.simulate(drift="progressive", steps=4, samples=64, classes=3, dimension=8, seed=1)
METHODS = [stad.Source, stad.T3A, stad.Lame, stad.StadVmf, stad.StadGauss, stad.StadSafe]


def batches(size=32):
    return [STREAM.features[first:first + size] for first in range(0, len(STREAM), size)]


class Adapters(unittest.TestCase):
    def test_answer_with_labels_and_probabilities(self):
        for method in METHODS:
            answer = method(SOURCE).adapt(batches()[0])
            self.assertEqual(answer.labels.dtype, numpy.int64)
            self.assertEqual(answer.probabilities.shape, (32, 3))
            self.assertEqual(len(answer), 32)
            numpy.testing.assert_allclose(answer.probabilities.sum(axis=1), 1, atol=1e-5)
            numpy.testing.assert_array_equal(answer.labels, answer.probabilities.argmax(axis=1))

    def test_answers_outlive_their_adapter(self):
        labels = stad.StadSafe(SOURCE).adapt(batches()[0]).labels
        self.assertEqual(labels.sum(), labels.copy().sum())
        self.assertFalse(labels.flags.writeable)

    def test_have_the_options_of_the_library(self):
        adapter = stad.StadVmf(SOURCE, kappa_trans=500, init="previous", dynamics=True)
        self.assertEqual(adapter.options["kappa_trans"], "500")
        self.assertEqual(adapter.options["dynamics"], "on")
        self.assertEqual(stad.T3A(SOURCE, supports=None).options["supports"], "all")
        defaults = {name: parameter.default for name, parameter in
                    inspect.signature(stad.StadVmf.__init__).parameters.items() if name not in ("self", "source")}
        self.assertEqual(defaults, stad.StadVmf(SOURCE).options)
        with self.assertRaisesRegex(ValueError, "unknown option kappa"):
            stad.StadVmf(SOURCE, kappa=1)
        with self.assertRaisesRegex(ValueError, "must be one of source, t3a"):
            stad.make_adapter("magic", SOURCE)

    def test_continue_from_a_state_and_from_a_pickle(self):
        for method in METHODS:
            whole = method(SOURCE)
            for batch in batches()[:3]:
                whole.adapt(batch)
            restored = method(SOURCE)
            restored.restore(whole.state())
            unpickled = pickle.loads(pickle.dumps(whole))
            self.assertIs(type(unpickled), method)
            for batch in batches()[3:]:
                expected = whole.adapt(batch).probabilities
                numpy.testing.assert_array_equal(restored.adapt(batch).probabilities, expected)
                numpy.testing.assert_array_equal(unpickled.adapt(batch).probabilities, expected)

    def test_refuse_states_of_others(self):
        with self.assertRaisesRegex(ValueError, "must be of t3a"):
            stad.T3A(SOURCE).restore(stad.StadSafe(SOURCE).state())
        with self.assertRaises(ValueError):
            stad.T3A(SOURCE).restore(b"not a state")

    def test_answer_as_the_command_does(self):
        with tempfile.TemporaryDirectory() as folder:
            numpy.savez(f"{folder}/s.npz", weight=SOURCE.weight, bias=SOURCE.bias, mean=SOURCE.mean,
                        features=STREAM.features)
            for method in ("stad-safe", "stad-vmf", "t3a"):
                subprocess.run([os.environ["STAD_COMMAND"], "adapt", "--method", method, "--stream", f"{folder}/s.npz",
                                "--batch-size", "32", "--out", f"{folder}/out.npz", "--quiet"], check=True)
                adapter = stad.make_adapter(method, SOURCE)
                ours = numpy.concatenate([adapter.adapt(batch).probabilities for batch in batches()])
                numpy.testing.assert_array_equal(ours, numpy.load(f"{folder}/out.npz")["probabilities"])

    def test_tell_their_health(self):
        adapter = stad.StadSafe(SOURCE)
        health = adapter.adapt(batches()[0]).health
        estimate, low, high = health["estimated_accuracy"]
        self.assertTrue(low <= estimate <= high)
        self.assertIn("trust", health)
        self.assertEqual(adapter.health()["movement"].shape, (3,))
        adapter.watch("none")
        self.assertNotIn("confidence", adapter.adapt(batches()[0]).health)
        with self.assertRaisesRegex(ValueError, "none, basic, full"):
            adapter.watch("much")

    def test_take_late_labels(self):
        adapter = stad.StadSafe(SOURCE)
        adapter.adapt(batches()[0], ids=numpy.arange(32))
        self.assertEqual(adapter.observe([3, 4, 99], STREAM.labels[[3, 4, 5]]), (2, 1))
        self.assertEqual(adapter.observe_rows(batches()[1], STREAM.labels[32:64]), (32, 0))
        with self.assertRaisesRegex(ValueError, "number 0 is 7"):
            adapter.observe([3], [7])
        with self.assertRaisesRegex(ValueError, "takes no labels"):
            stad.T3A(SOURCE).observe([3], [1])

    def test_of_two_threads_run_side_by_side_and_take_turns_on_one(self):
        shared = stad.StadSafe(SOURCE)
        own = [stad.StadSafe(SOURCE) for _ in range(2)]
        failures = []

        def work(adapter):
            try:
                for _ in range(50):
                    for batch in batches():
                        own[adapter].adapt(batch)
                        shared.adapt(batch)
            except Exception as failure:  # whatever it is, the test shall tell
                failures.append(failure)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        numpy.testing.assert_array_equal(own[0].prototypes(), own[1].prototypes())


class Stubs(unittest.TestCase):
    def test_name_everything_with_its_options(self):
        stubs = ast.parse((pathlib.Path(stad.__file__).parent / "__init__.pyi").read_text())
        named = {part.name: part for part in stubs.body if isinstance(part, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(set(named) | {"__version__"}, set(stad.__all__))
        for method in METHODS:
            made = next(part for part in named[method.__name__].body if part.name == "__init__")
            self.assertEqual([argument.arg for argument in made.args.kwonlyargs], list(method(SOURCE).options))


class Flavour(unittest.TestCase):
    """As scikit-learn's users expect it."""

    def test_predicts_without_learning(self):
        adapter = stad.StadSafe(SOURCE).partial_fit(batches()[0])
        before = adapter.state()
        self.assertEqual(adapter.predict(batches()[1]).shape, (32,))
        self.assertEqual(adapter.predict_proba(batches()[1]).shape, (32, 3))
        self.assertEqual(adapter.state(), before)
        self.assertNotEqual(adapter.partial_fit(batches()[1]).state(), before)

    def test_answers_with_the_names_of_the_classes(self):
        named = stad.SourceModel(SOURCE.weight, SOURCE.bias, SOURCE.mean, ["cat", "dog", "owl"])
        adapter = stad.StadSafe(named)
        self.assertEqual(list(adapter.classes_), ["cat", "dog", "owl"])
        self.assertTrue(set(adapter.predict(batches()[0])) <= {"cat", "dog", "owl"})
        adapter.partial_fit(batches()[0], ["cat", "dog", "owl", "cat"] * 8)
        with self.assertRaisesRegex(ValueError, "'cow' is none of the classes"):
            adapter.partial_fit(batches()[0], ["cow"] * 32)

    def test_takes_the_head_of_a_linear_classifier(self):
        class Fitted:
            coef_ = numpy.array([[1.0, -2.0]])
            intercept_ = numpy.array([0.5])
            classes_ = numpy.array(["no", "yes"])

        head = stad.from_sklearn(Fitted())
        x = numpy.array([[0.3, 0.1], [-1.0, 2.0]])
        expected = 1 / (1 + numpy.exp(-(x @ Fitted.coef_[0] + 0.5)))
        numpy.testing.assert_allclose(stad.Source(head).predict_proba(x)[:, 1], expected, atol=1e-6)
        with self.assertRaisesRegex(ValueError, "not a fitted linear classifier"):
            stad.from_sklearn(object())


class Streams(unittest.TestCase):
    def test_are_evaluated(self):
        report = stad.evaluate(stad.StadSafe(SOURCE), STREAM, batch_size=32)
        self.assertEqual(report["labels"].shape, (256,))
        self.assertAlmostEqual(report["accuracy"], (report["labels"] == STREAM.labels).mean())
        self.assertEqual(len(report["step_accuracy"]), 4)
        self.assertEqual(len(report["health"]), 4)

    def test_are_made_of_arrays(self):
        stream = stad.Stream(STREAM.features, STREAM.labels)
        self.assertIsNone(stream.time)
        numpy.testing.assert_array_equal(stream.features, STREAM.features)
        with self.assertRaisesRegex(ValueError, "labels: there are 2 for 256 rows"):
            stad.Stream(STREAM.features, [0, 1])
        with self.assertRaisesRegex(ValueError, "drift is 'odd'"):
            stad.simulate("odd")


if __name__ == "__main__":
    unittest.main()
