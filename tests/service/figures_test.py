"""The figures of the service are those of its answers, computed again from a replay."""

import re
import shutil
import subprocess
import time
import unittest

import numpy

from service import ServiceTest

OUTPUTS = ("label", "probabilities", "source_label", "adapted_label")

# A clock that is set forward by an hour as soon as a file exists.
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec* time) {
  static int (*original)(clockid_t, struct timespec*);
  if (!original) original = dlsym(RTLD_NEXT, "clock_gettime");
  const int status = original(clock, time);
  const char* file = getenv("STAD_TEST_CLOCK");
  if (clock == CLOCK_REALTIME && file && access(file, F_OK) == 0) time->tv_sec += 3600;
  return status;
}
"""


class Figures(ServiceTest):
    def metrics(self, service):
        """The values by name and labels."""
        text = service.send("GET", "/metrics")[2].decode()
        return {name: float(value) for name, value in re.findall(r"^(stad_\S+) (\S+)$", text, re.MULTILINE)}

    def of_model(self, service, model="m"):
        return {name.split("{")[0]: value for name, value in self.metrics(service).items() if f'{{model="{model}"}}' in name}

    def replay(self, service, batches, stream="s", model="m"):
        """The rows of the answers: flips, confidence, entropy."""
        flips, confidence, entropy = [], [], []
        for batch in batches:
            tensors, _ = service.infer(model, batch, outputs=OUTPUTS, sequence_id=stream)
            p = tensors["probabilities"].astype("f8")
            flips.append(tensors["source_label"] != tensors["adapted_label"])
            confidence.append(p[numpy.arange(len(p)), tensors["label"]])
            entropy.append(-numpy.where(p > 0, p * numpy.log(numpy.where(p > 0, p, 1)), 0).sum(1))
        return [numpy.concatenate(values) for values in (flips, confidence, entropy)]

    def sorted_batches(self, size, times=1):
        """Rows sorted by label, on which stad-safe answers by chains and differs from the source."""
        order = numpy.argsort(self.labels, kind="stable")
        rows = numpy.concatenate([self.features[order]] * times)
        return [rows[first:first + size] for first in range(0, len(rows), size)]

    def test_metrics_are_the_means_of_the_answers(self):
        service = self.serve(model=f'[[model]]\nname = "v"\nsource = "{self.stream_file}"\nmethod = "stad-vmf"\n')
        for model in ("m", "v"):
            with self.subTest(model=model):
                first = self.features[:64]  # few flips, unlike what follows
                flips, confidence, entropy = self.replay(service, [first, *self.sorted_batches(40, times=9)], model=model)
                self.assertGreater(len(flips), 9000)
                self.assertGreater(flips.mean(), 0.01)
                shown = self.of_model(service, model)
                self.assertEqual(shown["stad_adapt_rows_total"], len(flips))
                self.assertEqual(shown["stad_adapt_steps_total"], 1 + len(self.sorted_batches(40, times=9)))
                # Up to 10,000 rows a figure is the mean over all rows; sums in double differ in the last digits.
                self.assertAlmostEqual(shown["stad_flip_ratio"], flips.mean(), delta=1e-12)
                self.assertAlmostEqual(shown["stad_confidence_ratio"], confidence.mean(), delta=1e-9)
                self.assertAlmostEqual(shown["stad_entropy_nats"], entropy.mean(), delta=1e-6)
        self.assertEqual(self.metrics(service)['stad_requests_total{route="infer",status="200"}'],
                         2 * (1 + len(self.sorted_batches(40, times=9))))

    def test_metrics_fade_beyond_ten_thousand_rows(self):
        service = self.serve("--data", "")
        batches = self.sorted_batches(200, times=12)
        _, confidence, _ = self.replay(service, batches)
        mean = rows = first = 0
        for batch in batches:
            values = confidence[first:first + len(batch)]
            first += len(batch)
            rows = min(rows + len(batch), 10_000)
            mean += (values.mean() - mean) * len(batch) / rows
        self.assertAlmostEqual(self.of_model(service)["stad_confidence_ratio"], mean, delta=1e-9)

    def test_rows_that_were_not_learned_are_not_counted(self):
        service = self.serve("--data", "")
        self.replay(service, self.batches(2))
        service.infer("m", self.features[:8], sequence_id="s", adapt=False)
        service.infer("m", self.features[:16], sequence_id="s", request_id="one")
        service.infer("m", self.features[:16], sequence_id="s", request_id="one")
        self.assertEqual(self.of_model(service)["stad_adapt_rows_total"], 48)
        answered = service.ask("GET", "/v2/models/m/stats")["model_stats"][0]["inference_count"]
        self.assertEqual(answered, 48 + 8, "rows answered, those without learning too, stored responses not")

    def test_a_fast_replay_leaves_a_curve(self):
        service = self.serve("--data", "")
        begun = time.monotonic()
        flips, confidence, _ = self.replay(service, self.batches(35))
        points = service.ask("GET", "/admin/models/m/streams/s")["history"]["points"]
        self.assertLess(time.monotonic() - begun, 10)
        self.assertGreaterEqual(len(points), 24)
        self.assertEqual(sum(point["batches"] for point in points), 35)
        self.assertEqual(sum(point["rows"] for point in points), len(flips))
        weight = [point["rows"] for point in points]
        # All points but the last are packed as float32.
        self.assertAlmostEqual(numpy.average([point["confidence"] for point in points], weights=weight), confidence.mean(), places=6)
        self.assertAlmostEqual(numpy.average([point["flip_rate"] for point in points], weights=weight), flips.mean(), places=6)

    def test_the_geometry_is_that_of_the_history(self):
        service = self.serve("--data", "", method="stad-vmf")
        self.replay(service, self.batches(20))
        points = service.ask("GET", "/admin/models/m/streams/s")["history"]["points"]
        weight = [point["rows"] for point in points]
        shown = self.of_model(service)
        # Movements of a chart are packed into 16 bits.
        self.assertAlmostEqual(shown["stad_prototype_shift_radians"],
                               numpy.average([numpy.mean(point["movement"]) for point in points], weights=weight), places=4)
        self.assertAlmostEqual(shown["stad_prototype_dispersion_radians"],
                               numpy.average([point["dispersion"] for point in points], weights=weight), places=5)

    @unittest.skipUnless(shutil.which("cc"), "cc is not there")
    def test_the_age_of_changes_does_not_depend_on_the_date(self):
        with open(self.path("clock.c"), "w") as file:
            file.write(CLOCK)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.path("clock.so"), self.path("clock.c"), "-ldl"], check=True)
        service = self.serve(config="interval = 3600", environment={"LD_PRELOAD": self.path("clock.so"),
                                                                    "STAD_TEST_CLOCK": self.path("set")})
        service.infer("m", self.features[:8])
        open(self.path("set"), "w").close()
        age = self.metrics(service)["stad_checkpoint_age_seconds"]
        self.assertGreater(age, 0)
        self.assertLess(age, 600)

    def test_no_figure_is_missing_after_the_first_batch(self):
        service = self.serve("--data", "", method="stad-vmf")
        self.replay(service, self.batches(1))
        shown = self.of_model(service)
        self.assertEqual({name for name, value in shown.items() if value != value}, {"stad_chains_answer"})
        told = service.send("GET", "/admin/models/m/streams/s")[2].decode()
        self.assertNotIn("NaN", told)


if __name__ == "__main__":
    unittest.main()
