"""Tests of the documented behaviour of the package."""

import ast
import copy
import inspect
import os
import pathlib
import pickle
import signal
import subprocess
import tempfile
import unittest

import numpy

import stad
from stad.adapters import _text

SOURCE, STREAM = stad.simulate(drift="progressive", steps=4, samples=64, classes=3, dimension=8, seed=1)
METHODS = [stad.Source, stad.T3A, stad.Lame, stad.StadVmf, stad.StadGauss, stad.Normalise, stad.Prior, stad.StadSafe]
CARD = {"temperature": (), "frequencies": (3,), "means": (3, 8), "variance": (8,), "accuracy": (), "confidence": ()}


def batches(size=32):
    return [STREAM.features[first:first + size] for first in range(0, len(STREAM), size)]


class Marked(stad.StadSafe):
    """A subclass with a constructor of its own."""

    def __init__(self, mark):
        super().__init__(SOURCE)
        self.mark = mark


class Adapters(unittest.TestCase):
    def test_return_labels_and_probabilities(self):
        for method in METHODS:
            answer = method(SOURCE).adapt(batches()[0])
            self.assertEqual(answer.labels.dtype, numpy.int64)
            self.assertEqual(answer.probabilities.shape, (32, 3))
            self.assertEqual(len(answer), 32)
            numpy.testing.assert_allclose(answer.probabilities.sum(axis=1), 1, atol=1e-5)
            numpy.testing.assert_array_equal(answer.labels, answer.probabilities.argmax(axis=1))

    def test_have_the_options_of_the_library(self):
        adapter = stad.StadVmf(SOURCE, kappa_trans=500, init="previous", dynamics=True)
        self.assertEqual(adapter.options["kappa_trans"], "500")
        self.assertEqual(adapter.options["dynamics"], "on")
        self.assertEqual(stad.T3A(SOURCE, supports=None).options["supports"], "all")
        with self.assertRaisesRegex(ValueError, "window = None, must be a whole number"):
            stad.StadVmf(SOURCE, window=None)
        defaults = {name: _text(parameter.default) for name, parameter in
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

    def test_pickles_keep_class_attributes_and_level(self):
        adapter = Marked("north")
        adapter.watch("none")
        for again in (pickle.loads(pickle.dumps(adapter)), copy.deepcopy(adapter)):
            self.assertIs(type(again), Marked)
            self.assertEqual(again.mark, "north")
            self.assertEqual(again.state(), adapter.state())
            self.assertNotIn("confidence", again.adapt(batches()[0]).health)

    def test_reject_invalid_times(self):
        adapter = stad.StadSafe(SOURCE)
        before = adapter.state()
        for time in (numpy.nan, numpy.inf, 1e300):
            with self.assertRaisesRegex(ValueError, "^batch: time is .*, must be finite and at most 1e290"):
                adapter.adapt(batches()[0], time=time)
        self.assertEqual(adapter.state(), before)

    def test_reject_states_of_other_methods(self):
        with self.assertRaisesRegex(ValueError, "must be of t3a"):
            stad.T3A(SOURCE).restore(stad.StadSafe(SOURCE).state())
        with self.assertRaises(ValueError):
            stad.T3A(SOURCE).restore(b"not a state")

    def test_equal_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            card = {f"card_{name}": value for name, value in SOURCE.card.items()}
            numpy.savez(f"{folder}/s.npz", weight=SOURCE.weight, bias=SOURCE.bias, mean=SOURCE.mean,
                        features=STREAM.features, **card)
            for method in stad.methods():
                subprocess.run([os.environ["STAD_COMMAND"], "adapt", "--method", method, "--stream", f"{folder}/s.npz",
                                "--batch-size", "32", "--out", f"{folder}/out.npz", "--quiet"], check=True)
                adapter = stad.make_adapter(method, SOURCE)
                ours = numpy.concatenate([adapter.adapt(batch).probabilities for batch in batches()])
                numpy.testing.assert_array_equal(ours, numpy.load(f"{folder}/out.npz")["probabilities"])

    def test_report_their_health(self):
        adapter = stad.StadSafe(SOURCE)
        few = adapter.adapt(batches()[0]).health
        self.assertNotIn("warning", few)
        self.assertEqual((few["answers"], few["held_by"]), ("source", "rows"))
        health = adapter.adapt(STREAM.features).health
        self.assertEqual(set(health), {"confidence", "warning", "flip_rate", "answers", "held_by", "zeta", "excess",
                                       "autocorrelation", "evidence"})
        self.assertIn(health["warning"], ("fine", "watch", "act"))
        bare = stad.SourceModel(SOURCE.weight, SOURCE.bias, SOURCE.mean)
        self.assertNotIn("warning", stad.StadSafe(bare).adapt(STREAM.features).health)
        self.assertEqual(adapter.health()["movement"].shape, (3,))
        adapter.watch("none")
        self.assertNotIn("confidence", adapter.adapt(batches()[0]).health)
        with self.assertRaisesRegex(ValueError, "none, basic, full"):
            adapter.watch("much")

    def test_take_late_labels(self):
        adapter = stad.StadVmf(SOURCE)
        adapter.adapt(batches()[0], ids=numpy.arange(32))
        self.assertEqual(adapter.observe([3, 4, 99], STREAM.labels[[3, 4, 5]]), (2, 1))
        self.assertEqual(adapter.observe_rows(batches()[1], STREAM.labels[32:64]), (32, 0))
        with self.assertRaisesRegex(ValueError, "number 0 is 7"):
            adapter.observe([3], [7])
        for method in (stad.T3A, stad.Normalise):
            with self.assertRaisesRegex(ValueError, "takes no labels"):
                method(SOURCE).observe([3], [1])


class Cards(unittest.TestCase):
    def test_are_computed_from_labelled_rows(self):
        bare = stad.SourceModel(SOURCE.weight, SOURCE.bias, SOURCE.mean, ["cat", "dog", "owl"])
        self.assertEqual(bare.card, {})
        source = bare.with_card(STREAM.features, STREAM.labels)
        self.assertEqual({name: numpy.shape(value) for name, value in source.card.items()}, CARD)
        self.assertAlmostEqual(source.card["accuracy"],
                               (stad.Source(bare).answer(STREAM.features).labels == STREAM.labels).mean())
        self.assertEqual(source.classes, ["cat", "dog", "owl"])
        self.assertEqual(bare.card, {})

    def test_are_kept_by_pickles_and_files(self):
        for source in (pickle.loads(pickle.dumps(SOURCE)), copy.deepcopy(SOURCE)):
            self.assertEqual(source.card.keys(), CARD.keys())
            for name, value in SOURCE.card.items():
                numpy.testing.assert_array_equal(source.card[name], value)

    def test_keep_the_labels_of_a_classifier(self):
        class Fitted:
            coef_, intercept_ = SOURCE.weight, SOURCE.bias
            classes_ = numpy.array(["a", "b", "c"])

        source = stad.from_sklearn(Fitted()).with_card(STREAM.features, STREAM.labels)
        self.assertEqual(list(stad.StadSafe(source).classes_), ["a", "b", "c"])

    def test_reject_other_rows_and_labels(self):
        with self.assertRaisesRegex(ValueError, "features have 7 dimensions, must have 8"):
            SOURCE.with_card(STREAM.features[:, :7], STREAM.labels)
        with self.assertRaisesRegex(ValueError, "label 1 is 3, must be from 0 to 2"):
            SOURCE.with_card(STREAM.features[:2], [0, 3])
        with self.assertRaisesRegex(ValueError, "1 labels for 2 rows"):
            SOURCE.with_card(STREAM.features[:2], [0])


class Stubs(unittest.TestCase):
    def test_name_everything_with_its_options(self):
        stubs = ast.parse((pathlib.Path(stad.__file__).parent / "__init__.pyi").read_text())
        named = {part.name: part for part in stubs.body if isinstance(part, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(set(named) | {"__version__"}, set(stad.__all__))
        for name in set(named) & {made.__name__ for made in stad.Adapter.__subclasses__()}:
            with self.subTest(name):
                self.assertEqual(self.stub_defaults(named[name]), self.defaults(getattr(stad, name)))

    def stub_defaults(self, stub):
        made = next(part for part in stub.body if part.name == "__init__").args
        return {argument.arg: ast.literal_eval(default) for argument, default in zip(made.kwonlyargs, made.kw_defaults)}

    def defaults(self, method):
        parameters = inspect.signature(method.__init__).parameters.values()
        return {parameter.name: parameter.default for parameter in parameters
                if parameter.kind is parameter.KEYWORD_ONLY}

    def test_everything_public_has_a_docstring(self):
        for name in stad.__all__:
            thing = getattr(stad, name)
            self.assertTrue(thing.__doc__, name)
            members = vars(thing).items() if inspect.isclass(thing) else ()
            undocumented = [member for member, value in members if not member.startswith("_") and not value.__doc__]
            self.assertEqual(undocumented, [], name)


class ScikitLearnInterface(unittest.TestCase):
    """The conventions of scikit-learn."""

    def test_predicts_without_adapting(self):
        adapter = stad.StadSafe(SOURCE).partial_fit(batches()[0])
        before = adapter.state()
        self.assertEqual(adapter.predict(batches()[1]).shape, (32,))
        self.assertEqual(adapter.predict_proba(batches()[1]).shape, (32, 3))
        self.assertEqual(adapter.state(), before)
        self.assertNotEqual(adapter.partial_fit(batches()[1]).state(), before)

    def test_predicts_the_names_of_the_classes(self):
        named = stad.SourceModel(SOURCE.weight, SOURCE.bias, SOURCE.mean, ["cat", "dog", "owl"])
        adapter = stad.StadVmf(named)
        self.assertEqual(list(adapter.classes_), ["cat", "dog", "owl"])
        self.assertTrue(set(adapter.predict(batches()[0])) <= {"cat", "dog", "owl"})
        adapter.partial_fit(batches()[0], ["cat", "dog", "owl", "cat"] * 8)
        with self.assertRaisesRegex(ValueError, "'cow' is not one of the classes"):
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

    def test_predicts_the_labels_of_the_classifier(self):
        class Fitted:
            coef_ = numpy.random.default_rng(1).standard_normal((6, 8))
            intercept_ = numpy.zeros(6)

        x = numpy.random.default_rng(2).standard_normal((32, 8))
        for labels, other in ((numpy.arange(1, 7, dtype=numpy.int32), 7), (numpy.array(list("fedcba")), "g"),
                              (numpy.array(list("abcdef"), dtype=object), 1)):
            Fitted.classes_ = labels
            expected = labels[(x @ Fitted.coef_.T).argmax(axis=1)]
            head = stad.from_sklearn(Fitted())
            for source in (head, pickle.loads(pickle.dumps(head))):
                adapter = stad.Source(source)
                self.assertIs(adapter.source, source)
                self.assertEqual(adapter.classes_.dtype, labels.dtype)
                numpy.testing.assert_array_equal(adapter.predict(x), expected)
                numpy.testing.assert_array_equal(pickle.loads(pickle.dumps(adapter)).predict(x), expected)
            by_label, by_index = stad.StadVmf(head), stad.StadVmf(head)
            for y in (expected, expected.tolist()):
                by_label.partial_fit(x, y)
                by_index.observe_rows(x, [labels.tolist().index(label) for label in expected])
                self.assertEqual(by_label.state(), by_index.state())
            expected_error = f"^y: {other!r} is not one of the classes {labels[0]}, {labels[1]}"
            with self.assertRaisesRegex(ValueError, expected_error):
                by_label.partial_fit(x, [other] * 32)


class Streams(unittest.TestCase):
    def test_are_evaluated(self):
        report = stad.evaluate(stad.StadSafe(SOURCE), STREAM, batch_size=32)
        self.assertEqual(report["labels"].shape, (256,))
        self.assertAlmostEqual(report["accuracy"], (report["labels"] == STREAM.labels).mean())
        self.assertEqual(len(report["step_accuracy"]), 4)
        self.assertEqual(len(report["health"]), 4)

    def test_are_interrupted_by_ctrl_c(self):
        # Signals are checked every 50 ms: the run, of about 400 ms, must last longer on every machine.
        long = stad.Stream(numpy.tile(STREAM.features, (1000, 1)))
        whole, interrupted = stad.StadSafe(SOURCE), stad.StadSafe(SOURCE)
        stad.evaluate(whole, long, batch_size=1)
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, signal.default_int_handler))
        with self.assertRaises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            stad.evaluate(interrupted, long, batch_size=1)
        self.assertFalse(interrupted.state() == whole.state(), "the run was not interrupted")

    def test_raise_in_signal_handlers_that_use_the_adapter(self):
        long = stad.Stream(numpy.tile(STREAM.features, (200, 1)))
        adapter, errors = stad.StadSafe(SOURCE), []

        def handler(*_):
            try:
                adapter.state()
            except RuntimeError as error:
                errors.append(str(error))
            else:  # the signal arrived before or after the run
                signal.setitimer(signal.ITIMER_REAL, 0.02)

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, handler))
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        while not errors:
            report = stad.evaluate(adapter, long, batch_size=1)
        self.assertIn("the adapter is in use by this thread", errors[0])
        self.assertEqual(report["samples"], len(long))  # the run continued after the handler
        adapter.state()

    def test_are_read_by_paths_of_every_kind(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "s.npz")
            numpy.savez(file, weight=SOURCE.weight, features=STREAM.features)
            numpy.testing.assert_array_equal(stad.read_stream(file).features, stad.read_stream(str(file)).features)
            numpy.testing.assert_array_equal(stad.read_source(file).weight, SOURCE.weight)
        with self.assertRaisesRegex(ValueError, "absent.npz"):
            stad.read_images(pathlib.Path("absent.npz"))
        with self.assertRaises(TypeError):
            stad.read_stream(7)

    def test_are_made_of_arrays(self):
        stream = stad.Stream(STREAM.features, STREAM.labels)
        self.assertIsNone(stream.time)
        numpy.testing.assert_array_equal(stream.features, STREAM.features)
        with self.assertRaisesRegex(ValueError, "labels: has 2 values for 256 rows"):
            stad.Stream(STREAM.features, [0, 1])
        with self.assertRaisesRegex(ValueError, "drift is 'odd'"):
            stad.simulate("odd")


if __name__ == "__main__":
    unittest.main()
