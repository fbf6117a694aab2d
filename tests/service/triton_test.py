"""Requests of tritonclient.http for Triton's extensions, answered as Triton's documentation describes them."""

import concurrent.futures
import json
import threading
import time
import unittest

import numpy

from service import ServiceTest
from triton import TritonClient, requested

STATISTICS = {"success", "fail", "queue", "compute_input", "compute_infer", "compute_output", "cache_hit", "cache_miss"}


class Triton(ServiceTest):
    def test_describes_models_as_model_config(self):
        client = TritonClient(self.serve("--data", "", method="stad-vmf", model="max_batch = 8\nmax_delay = 2"))
        config = client.get_model_config("m")
        self.assertEqual(config, client.get_model_config("m", "1"))
        self.assertEqual(config["input"], [{"name": "features", "data_type": "TYPE_FP32", "dims": [32]}])
        self.assertEqual([output["data_type"] for output in config["output"]], ["TYPE_INT64", "TYPE_FP32"] + ["TYPE_INT64"] * 2)
        self.assertEqual((config["name"], config["backend"], config["max_batch_size"]), ("m", "stad", 65536))
        batching = config["sequence_batching"]
        self.assertEqual(batching["direct"]["max_queue_delay_microseconds"], 2000)
        self.assertEqual((batching["control_input"], batching["state"]), ([], []))
        self.assertGreater(batching["max_sequence_idle_microseconds"], 10**18)
        self.assertEqual(config["parameters"]["method"], {"string_value": "stad-vmf"})
        self.assertEqual(config["version_policy"], {"latest": {"num_versions": 1}})
        self.assertEqual(client.get_model_metadata("m", "1")["versions"], ["1"])
        self.refused(404, "not found", client.get_model_config, "x")
        self.refused(404, "no version '2'", client.get_model_config, "m", "2")

    def test_statistics_count_a_replay(self):
        client = TritonClient(self.serve("--data", ""))
        start = time.time()
        for i, batch in enumerate(self.batches(6)):
            client.infer("m", batch, sequence_id=7, request_id=f"r{i}")
        client.infer("m", self.batches(6)[5], sequence_id=7, request_id="r5")  # the kept answer
        client.infer("m", self.features[:3])
        self.refused(400, "", client.infer, "m", numpy.zeros((2, 5)))  # of another dimension
        elapsed = (time.time() - start) * 1e9
        figures = client.get_inference_statistics("m")["model_stats"]
        self.assertEqual(len(figures), 1)
        figures = figures[0]
        self.assertEqual((figures["name"], figures["version"]), ("m", "1"))
        self.assertEqual((figures["inference_count"], figures["execution_count"]), (6 * 16 + 3, 7))
        self.assertLess(abs(figures["last_inference"] / 1000 - time.time()), 60)
        parts = figures["inference_stats"]
        self.assertEqual(set(parts), STATISTICS)
        counts = {name: parts[name]["count"] for name in STATISTICS}
        self.assertEqual(counts, {"success": 8, "fail": 1, "queue": 7, "compute_input": 7, "compute_infer": 7,
                                  "compute_output": 7, "cache_hit": 1, "cache_miss": 6})
        for name in STATISTICS:
            self.assertGreater(parts[name]["ns"], 0, name)
        inner = sum(parts[name]["ns"] for name in ("queue", "compute_input", "compute_infer", "compute_output"))
        self.assertLessEqual(inner, parts["success"]["ns"])
        self.assertLess(parts["success"]["ns"], elapsed)
        self.assertEqual([(b["batch_size"], b["compute_infer"]["count"]) for b in figures["batch_stats"]], [(3, 1), (16, 6)])
        self.assertEqual(client.get_inference_statistics("m", "1"), client.get_inference_statistics())
        self.refused(404, "not found", client.get_inference_statistics, "x")

    def test_unloaded_streams_continue_after_loading(self):
        expected = [TritonClient(service).infer("m", batch, sequence_id=3)[1]["probabilities"]
                    for service in [self.serve("--data", "", method="stad-vmf")] for batch in self.batches(8)]
        client = TritonClient(self.serve("--durability", "none", method="stad-vmf"))
        answers = [client.infer("m", batch, sequence_id=3)[1]["probabilities"] for batch in self.batches(8)[:3]]
        client.unload_model("m")
        self.assertEqual(client.get_model_repository_index(),
                         [{"name": "m", "version": "1", "state": "UNAVAILABLE", "reason": "unloaded"}])
        self.assertEqual(json.loads(client.post("/v2/repository/index", '{"ready": true}')), [])
        self.refused(404, "not found", client.infer, "m", self.features[:1])
        self.refused(404, "not found", client.get_model_metadata, "m")
        client.unload_model("m")  # again
        client.load_model("m")
        answers += [client.infer("m", batch, sequence_id=3)[1]["probabilities"] for batch in self.batches(8)[3:6]]
        client.load_model("m")  # reloads
        answers += [client.infer("m", batch, sequence_id=3)[1]["probabilities"] for batch in self.batches(8)[6:]]
        for mine, other in zip(answers, expected):
            numpy.testing.assert_array_equal(mine, other)
        self.assertEqual(client.get_model_repository_index()[0]["state"], "READY")
        details = [event["detail"] for event in client.service.ask("GET", "/admin/events?model=m")["events"]]
        self.assertEqual(sorted(details), ["model m loaded", "model m reloaded", "model m unloaded"])
        for action in (client.load_model, client.unload_model):
            self.refused(404, "x", action, "x")
        self.refused(501, "parameters.config is not served", client.load_model, "m", "{}")

    def test_unloading_loses_no_answered_batch(self):
        service = self.serve("--durability", "none", method="stad-vmf")
        answered, is_ending = [0] * 4, threading.Event()

        def send(number):
            connection = service.connect()
            body = json.dumps({"parameters": {"sequence_id": number + 1}, "inputs": [
                {"name": "features", "shape": [4, 32], "datatype": "FP32", "data": self.features[:4].ravel().tolist()}]})
            while not is_ending.is_set():
                connection.request("POST", "/v2/models/m/infer", body)
                answer = connection.getresponse()
                content = json.loads(answer.read())
                if answer.status == 200:
                    answered[number] += 1
                    assert content["parameters"]["batch"] == answered[number], content["parameters"]
                else:
                    assert answer.status == 404, content
            connection.close()

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            senders = [pool.submit(send, number) for number in range(4)]
            client = TritonClient(service)
            for _ in range(8):
                time.sleep(0.1)
                client.unload_model("m")
                client.load_model("m")
                client.load_model("m")
            is_ending.set()
            for sender in senders:
                sender.result()
        self.assertGreater(min(answered), 0)

    def test_sequence_ids_are_answered_as_they_were_given(self):
        client = TritonClient(self.serve("--data", ""))
        for given, answered in ((7, 7), ("7", "7"), (2**64 - 1, 2**64 - 1), ("a", "a"), (0, "")):
            answer, _, _ = client.infer("m", self.features[:4], sequence_id=given)
            self.assertEqual(answer["parameters"]["sequence_id"], answered)
        self.assertEqual(client.infer("m", self.features[:4], sequence_id="7")[0]["parameters"]["batch"], 3)
        self.refused(400, "sequence_id", client.infer, "m", self.features[:4], sequence_id=-1)

    def test_classification_names_the_top_classes(self):
        client = TritonClient(self.serve("--data", ""))
        rows = self.features[:5]
        _, numbers, _ = client.infer("m", rows, outputs=[requested("probabilities")], sequence_id=1)
        for binary in (True, False):
            _, tensors, _ = client.infer("m", rows, outputs=[requested("probabilities", binary, 2)], sequence_id=2,
                                         sequence_start=True)
            self.assertEqual(tensors["probabilities"].shape, (5, 2))
            for texts, row in zip(tensors["probabilities"], numbers["probabilities"]):
                for text, index in zip(texts, numpy.argsort(-row, kind="stable")):
                    self.assertEqual(text.split(":")[:2], [f"{row[index]:f}", str(index)])
        self.refused(400, "must be for probabilities", client.infer, "m", rows, outputs=[requested("label", True, 2)])

    def test_says_what_is_not_served(self):
        client = TritonClient(self.serve("--data", ""))
        for path in ("/v2/systemsharedmemory/status", "/v2/cudasharedmemory/region/a/status", "/v2/trace/setting",
                     "/v2/models/m/trace/setting", "/v2/logging"):
            self.refused(501, "is not served", client.get, path)
            self.refused(501, "is not served", client.post, path, "{}")
        shared = {"inputs": [{"name": "features", "shape": [1, 32], "datatype": "FP32", "parameters": {
            "shared_memory_region": "a", "shared_memory_byte_size": 128}}]}
        self.refused(501, "shared_memory_region is not served", client.post, "/v2/models/m/infer", json.dumps(shared))
        for taken in ("application/json; charset=utf-8", "application/octet-stream", "application/x-www-form-urlencoded"):
            client.infer("m", self.features[:1], headers={"Content-Type": taken})
        self.refused(415, "Content-Type is 'image/png'", client.infer, "m", self.features[:1],
                     headers={"Content-Type": "image/png"})


if __name__ == "__main__":
    unittest.main()
