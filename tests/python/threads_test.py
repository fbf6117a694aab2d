"""Concurrent use from several threads. Also runs under ThreadSanitizer (make test-tsan)."""

import concurrent.futures
import os
import signal
import sys
import threading
import unittest

import numpy

import stad

SOURCE, STREAM = stad.simulate(drift="progressive", steps=2, samples=64, classes=3, dimension=8, seed=1)
BATCH = numpy.array(STREAM.features[:32])
METHODS = ["source", "t3a", "lame", "stad-vmf", "stad-gauss", "normalise", "prior", "stad-safe"]


def at_once(works):
    """Runs each function in its own thread, started together. Returns their results or raises the first failure."""
    start = threading.Barrier(len(works))

    def run(work):
        start.wait()
        return work()

    with concurrent.futures.ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


class Threads(unittest.TestCase):
    def test_of_two_adapters_run_side_by_side(self):
        # With a long switch interval, the interpreter's lock is only passed on where it is released explicitly. Short
        # adapts that finish during a long one in another thread show that both run without the lock.
        before = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        self.addCleanup(sys.setswitchinterval, before)
        long_batch = numpy.random.default_rng(1).standard_normal((4000, 8), dtype=numpy.float32)
        busy, short = stad.Lame(SOURCE), stad.StadVmf(SOURCE)
        begun, ended = threading.Event(), threading.Event()

        def work():
            begun.set()
            try:
                busy.adapt(long_batch)
            finally:
                ended.set()  # also after a failure, so that the loop below ends

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        meanwhile = 0
        while not ended.is_set():
            short.adapt(BATCH)
            meanwhile += 1
        thread.join()
        self.assertGreater(meanwhile, 100)

    def test_of_one_adapter_are_serialised(self):
        for method in METHODS:
            with self.subTest(method):
                shared, alone = stad.make_adapter(method, SOURCE), stad.make_adapter(method, SOURCE)

                def work(shared=shared):
                    return [shared.adapt(BATCH).probabilities.tobytes() for _ in range(25)]

                answers = [answer for part in at_once([work] * 4) for answer in part]
                expected = [alone.adapt(BATCH).probabilities.tobytes() for _ in range(100)]
                self.assertEqual(sorted(answers), sorted(expected))
                self.assertEqual(shared.state(), alone.state())

    def test_may_call_every_method_of_one_adapter(self):
        shared = stad.StadVmf(SOURCE)
        works = [
            lambda: shared.adapt(BATCH, ids=numpy.arange(32)),
            lambda: shared.answer(BATCH),
            lambda: shared.observe_rows(BATCH, STREAM.labels[:32]),
            lambda: shared.restore(shared.state()),
            lambda: shared.prototypes(),
            lambda: shared.health(),
            lambda: shared.watch("full"),
            lambda: shared.options,
            lambda: stad.evaluate(shared, STREAM),
            lambda: stad.StadSafe(SOURCE).adapt(BATCH),
        ]
        for answers in at_once([lambda work=work: [work() for _ in range(20)] for work in works]):
            self.assertEqual(len(answers), 20)
        self.assertTrue(numpy.isfinite(shared.adapt(BATCH).probabilities).all())

    @unittest.skipIf("tsan" in os.environ.get("LD_PRELOAD", ""), "ThreadSanitizer forbids threads after a fork")
    def test_of_the_library_work_in_a_forked_child(self):
        # Enough rows and classes that the work is divided among threads.
        source, stream = stad.simulate(steps=1, samples=400, classes=70, dimension=96, seed=3)
        expected = stad.StadVmf(source).adapt(stream.features).probabilities
        stad.set_threads(2)
        self.addCleanup(stad.set_threads, 1)
        numpy.testing.assert_array_equal(stad.StadVmf(source).adapt(stream.features).probabilities, expected)
        child = os.fork()
        if child == 0:
            signal.alarm(30)  # ends the child if it deadlocks
            os._exit(not (stad.StadVmf(source).adapt(stream.features).probabilities == expected).all())
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
