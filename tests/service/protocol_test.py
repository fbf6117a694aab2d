"""Clients that speak the Open Inference Protocol."""

import json
import re
import time
import unittest

import numpy

from service import ServiceTest, run_command


class Protocol(ServiceTest):
    def test_answers_as_the_command_does_bit_for_bit(self):
        for method in ("stad-safe", "stad-vmf", "t3a"):
            with self.subTest(method=method):
                run_command("adapt", "--method", method, "--source", self.stream_file, "--stream", self.stream_file,
                            "--batch-size", 16, "--order", "as-is", "--out", self.path("answers.npz"))
                expected = numpy.load(self.path("answers.npz"))
                service = self.serve("--data", "", method=method)
                answers = [service.infer("m", batch, sequence_id="a") for batch in self.batches(16)]
                for name, key in (("label", "labels"), ("probabilities", "probabilities")):
                    answered = numpy.concatenate([tensors[name] for tensors, _ in answers])
                    numpy.testing.assert_array_equal(answered, expected[key][:256])
                self.assertEqual(answers[-1][1]["batch"], 16)

    def test_takes_every_form_of_the_same_rows(self):
        service = self.serve("--data", "")
        rows = self.features[:4].astype("<f2").astype("<f4")
        first = service.infer("m", rows, sequence_id="FP32")[0]
        for form, keywords in {"FP64": {"datatype": "FP64"}, "FP16": {"datatype": "FP16"}, "json": {"binary": False},
                               "json64": {"binary": False, "datatype": "FP64"}}.items():
            with self.subTest(form=form):
                other = service.infer("m", rows, sequence_id=form, **keywords)[0]
                numpy.testing.assert_array_equal(other["probabilities"], first["probabilities"])

    def test_describes_itself(self):
        service = self.serve("--data", "")
        self.assertEqual(service.ask("GET", "/v2")["name"], "stad")
        self.assertTrue(service.ask("GET", "/v2/health/ready")["ready"])
        model = service.ask("GET", "/v2/models/m/versions/1")
        self.assertEqual(model["inputs"], [{"name": "features", "datatype": "FP32", "shape": [-1, 32]}])
        service.infer("m", self.features[:8])
        stats = service.ask("GET", "/v2/models/m/stats")["model_stats"][0]
        self.assertEqual((stats["inference_count"], stats["execution_count"]), (8, 1))
        self.refused(404, "model 'x' not found; available: m", service.ask, "GET", "/v2/models/x")
        self.refused(404, "model m has no version '2', must be 1", service.ask, "GET", "/v2/models/m/versions/2")

    def test_keeps_streams_apart_and_begins_and_ends_them(self):
        service = self.serve("--data", "")
        first = [service.infer("m", batch, sequence_id=1)[0] for batch in self.batches(6)]
        other = [service.infer("m", batch, sequence_id=2)[0] for batch in self.batches(6)]
        again = [service.infer("m", batch, sequence_id=1, sequence_start=i == 0)[0]
                 for i, batch in enumerate(self.batches(6))]
        for a, b, c in zip(first, other, again):
            numpy.testing.assert_array_equal(a["probabilities"], b["probabilities"])
            numpy.testing.assert_array_equal(a["probabilities"], c["probabilities"])
        service.infer("m", self.features[:8], sequence_id=2, sequence_end=True)
        self.refused(404, "stream 2 of m does not exist", service.ask, "GET", "/admin/models/m/streams/2")

    def test_predicts_without_learning_where_asked(self):
        service = self.serve("--data", "")
        for batch in self.batches(4):
            service.infer("m", batch)
        looked, parameters = service.infer("m", self.features[100:110], adapt=False)
        again, _ = service.infer("m", self.features[100:110], adapt=False)
        numpy.testing.assert_array_equal(looked["probabilities"], again["probabilities"])
        self.assertEqual(parameters["batch"], 4)

    def test_shadow_answers_with_the_source_and_learns(self):
        service = self.serve("--data", "", model='mode = "shadow"')
        source = self.serve("--data", "", method="source")
        active = self.serve("--data", "")
        outputs = ("label", "probabilities", "source_label", "adapted_label")
        for batch in self.batches(8):
            shadow, parameters = service.infer("m", batch, outputs=outputs)
            adapted, _ = active.infer("m", batch, outputs=("label", "source_label"))
            numpy.testing.assert_array_equal(shadow["probabilities"], source.infer("m", batch)[0]["probabilities"])
            numpy.testing.assert_array_equal(shadow["label"], shadow["source_label"])
            numpy.testing.assert_array_equal(shadow["adapted_label"], adapted["label"])
            numpy.testing.assert_array_equal(shadow["source_label"], adapted["source_label"])
        self.assertEqual((parameters["mode"], parameters["batch"]), ("shadow", 8))

    def test_frozen_answers_as_it_stands(self):
        service = self.serve("--data", "")
        for batch in self.batches(4):
            service.infer("m", batch)
        service.ask("PUT", "/admin/models/m/mode", {"mode": "frozen"})
        for batch in self.batches(4):
            _, parameters = service.infer("m", batch)
        self.assertEqual((parameters["mode"], parameters["batch"]), ("frozen", 4))
        service.infer("m", self.batches(1)[0], sequence_end=True)
        _, parameters = service.infer("m", self.batches(1)[0])
        self.assertEqual(parameters["batch"], 4, "a frozen stream forgets nothing")

    def test_lets_go_of_connections_that_clients_close(self):
        service = self.serve()
        for _ in range(20):
            connection = service.connect()
            connection.request("GET", "/livez")
            self.assertEqual(connection.getresponse().read(), b"{}")
            connection.close()

        def connections():
            return float(re.search(r"^stad_connections (.*)$", service.ask("GET", "/metrics").decode(), re.M)[1])

        self.eventually(lambda: connections() < 5, seconds=20)  # request_timeout is 30

    def test_gathers_waiting_requests_into_one_step(self):
        service = self.serve("--data", "", model="max_batch = 8\nmax_delay = 60000")
        connections = [service.connect() for _ in range(8)]
        body = json.dumps({"inputs": [{"name": "features", "shape": [1, 32], "datatype": "FP32",
                                       "data": self.features[0].tolist()}]})
        for connection in connections:
            connection.request("POST", "/v2/models/m/infer", body)
        answers = [json.loads(connection.getresponse().read()) for connection in connections]
        self.assertEqual([answer["parameters"]["batch"] for answer in answers], [1] * 8)
        for connection in connections:
            connection.close()

    def test_a_frozen_model_learns_from_labels_neither(self):
        service = self.serve("--data", "", method="stad-vmf", model='mode = "frozen"')
        service.infer("m", self.features[:2])
        self.refused(404, "does not exist", service.ask, "POST", "/v2/models/m/labels", {"ids": [5], "labels": [0]})
        service.ask("PUT", "/admin/models/m/mode", {"mode": "active"})
        service.infer("m", self.features[:2])
        service.ask("PUT", "/admin/models/m/mode", {"mode": "frozen"})
        self.refused(409, "frozen", service.ask, "POST", "/v2/models/m/labels", {"ids": [5], "labels": [0]})

    def test_a_method_that_takes_no_labels_says_so(self):
        service = self.serve("--data", "")
        service.infer("m", self.features[:2])
        self.refused(400, "stad-safe takes labels only with candidates", service.ask, "POST", "/v2/models/m/labels",
                     {"ids": [5], "labels": [0]})

    def test_a_sequence_starts_anew_only_where_it_adapts(self):
        service = self.serve("--data", "")
        service.infer("m", self.features[:8], sequence_id="s")
        start = {"sequence_id": "s", "sequence_start": True}
        self.assertEqual(service.infer("m", self.features[:8], adapt=False, **start)[1]["batch"], 1)
        service.infer("m", self.features[:8], sequence_id="s")
        self.assertEqual(service.infer("m", self.features[:8], **start)[1]["batch"], 1)

    def test_learns_from_labels_that_come_late(self):
        service = self.serve("--data", "", method="stad-vmf")
        rows = self.features[:2]
        head = {"inputs": [{"name": "features", "shape": [2, 32], "datatype": "FP32", "data": rows.ravel().tolist()},
                           {"name": "ids", "shape": [2], "datatype": "INT64", "data": [5, 6]}]}
        service.ask("POST", "/v2/models/m/infer", head)
        told = service.ask("POST", "/v2/models/m/labels", {"ids": [5, 99], "labels": [0, 1]})
        self.assertEqual(told, {"used": 1, "forgotten": 1})
        self.refused(400, "labels", service.ask, "POST", "/v2/models/m/labels", {"ids": [5], "labels": [77]})
        self.refused(400, "of 64 bits", service.ask, "POST", "/v2/models/m/labels", {"ids": [2**63], "labels": [0]})


if __name__ == "__main__":
    unittest.main()
