"""The service answers for streams that workers own."""

import http.client
import json
import pathlib
import signal
import subprocess
import time
import unittest

import numpy

import stad
from cluster_test_case import ClusterTest
from local_cluster import SERVER, Cluster
from nats_client import NatsClient


class Service:
    def __init__(self, cluster, settings=""):
        config = cluster.folder / "service.toml"
        text = settings + cluster.config.read_text().replace("[cluster]", "cluster = true\n[cluster]")
        config.write_text(text)
        self.process = subprocess.Popen([SERVER, "--config", config, "--listen", "127.0.0.1:0", "--data", ""],
                                        stderr=subprocess.PIPE, text=True)
        self.log = [json.loads(self.process.stderr.readline())]
        while self.log[-1]["message"] != "serving":
            self.log.append(json.loads(self.process.stderr.readline()))
        line = self.log[-1]
        self.connection = http.client.HTTPConnection(*line["address"].split("/")[2].split(":"), timeout=60)

    def infer(self, features, stream="camera", key=None, **parameters):
        body = {"parameters": {"sequence_id": stream, **parameters}, "inputs": [
            {"name": "features", "shape": features.shape, "datatype": "FP32", "data": features.ravel().tolist()}]}
        self.connection.request("POST", "/v2/models/demo/infer", json.dumps(body), {"Idempotency-Key": key} if key else {})
        response = self.connection.getresponse()
        answer = json.loads(response.read())
        if response.status != 200:
            return response.status, answer["error"]
        return {output["name"]: output["data"] for output in answer["outputs"]}

    def ask(self, method, path, body=None):
        """The status and the JSON of the answer."""
        self.connection.request(method, path, body and json.dumps(body))
        response = self.connection.getresponse()
        return response.status, json.loads(response.read())

    def stop(self):
        self.connection.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.stderr.close()
        return self.process.wait(timeout=30)

    def kill(self):
        """After a failed test."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class ServiceTest(ClusterTest):
    def serve(self, cluster, settings=""):
        service = Service(cluster, settings)
        self.addCleanup(service.kill)
        return service

    def test_answers_as_the_workers_do(self):
        with Cluster(settings={"lease": 2}) as cluster:
            worker = cluster.start_worker()
            cluster.wait_for_owners()
            service = self.serve(cluster)
            rows = numpy.load(cluster.stream)["features"][:80].reshape(10, 8, 32)
            first = None
            alone = stad.StadSafe(stad.read_source(cluster.stream))
            for number, batch in enumerate(rows[:5]):
                expected = alone.adapt(batch)
                first = first or expected.labels.tolist()
                for _ in range(2):  # repeated, as after a lost connection: the same answer, learned once
                    found = service.infer(batch, key=f"batch-{number}")
                    self.assertEqual(found["label"], expected.labels.tolist())
                    numpy.testing.assert_array_equal(numpy.array(found["probabilities"], "f4"), expected.probabilities.ravel())
            # An older one, which is searched for in the log; the search leaves no consumer on the servers.
            self.assertEqual(service.infer(rows[0], key="batch-0")["label"], first)
            client = NatsClient(cluster.nats.ports[0])
            self.assertEqual(client.manage("STREAM.INFO", "STAD_OUT")["state"]["consumer_count"], 0)
            client.close()
            status, error = service.infer(numpy.ones((1, 31), "f4"))
            self.assertEqual((status, "31" in error), (400, True), error)
            # Another worker goes on where the first was killed.
            worker.kill()
            worker.wait()
            cluster.start_worker()
            expected = alone.adapt(rows[5])
            numpy.testing.assert_array_equal(numpy.array(service.infer(rows[5])["probabilities"], "f4"), expected.probabilities.ravel())
            self.assertEqual(service.stop(), 0)

    def test_says_when_there_is_no_cluster(self):
        with Cluster() as cluster:
            service = self.serve(cluster)
            status, error = service.infer(numpy.ones((1, 32), "f4"))
            self.assertEqual((status, "no worker" in error), (503, True), error)
            service.stop()

    def test_starts_without_servers_and_is_ready_once_a_worker_is_alive(self):
        with Cluster(settings={"lease": 2}) as cluster:
            cluster.nats.kill(0)
            service = self.serve(cluster)
            status, error = service.infer(numpy.ones((1, 32), "f4"))
            self.assertEqual((status, "keeps trying to connect" in error), (503, True), error)
            status, answer = service.ask("GET", "/readyz")
            self.assertEqual((status, answer["error"]), (503, "the NATS servers cannot be reached"))
            self.assertEqual(service.ask("GET", "/livez")[0], 200)
            cluster.nats.start(0)
            cluster.nats.wait_for(0)
            worker = cluster.start_worker()
            self.assert_soon(lambda: service.ask("GET", "/readyz")[0] == 200, "ready")
            self.assert_soon(lambda: "label" in service.infer(numpy.ones((1, 32), "f4")), "answers")
            worker.kill()
            worker.wait()
            self.assert_soon(lambda: service.ask("GET", "/readyz") == (503, {"ready": False, "error": "no worker of the cluster is alive"}),
                             "not ready without a worker")
            cluster.start_worker()
            self.assert_soon(lambda: service.ask("GET", "/readyz")[0] == 200, "ready again")
            self.assertEqual(service.stop(), 0)

    def pause(self, process):
        """The signal is delivered later: a process that still runs could store and answer the next request."""
        process.send_signal(signal.SIGSTOP)
        threads = pathlib.Path(f"/proc/{process.pid}/task")
        self.assert_soon(lambda: all(path.read_text().rsplit(")", 1)[1].split()[0] == "T" for path in threads.glob("*/stat")),
                         "paused")

    def test_says_stored_only_with_the_receipt_of_the_servers(self):
        with Cluster() as cluster:
            cluster.start_worker()
            cluster.wait_for_owners()
            service = self.serve(cluster, settings="request_timeout = 2\n")
            self.assertIn("label", service.infer(numpy.ones((1, 32), "f4")))
            self.pause(cluster.nats.processes[0])
            status, error = service.infer(numpy.ones((1, 32), "f4"))
            cluster.nats.processes[0].send_signal(signal.SIGCONT)
            self.assertEqual((status, "did not confirm" in error), (503, True), error)
            self.pause(cluster.workers[0])
            status, error = service.infer(numpy.ones((1, 32), "f4"))
            cluster.workers[0].send_signal(signal.SIGCONT)
            self.assertEqual((status, "is stored and will be processed" in error), (504, True), error)
            self.assertEqual(service.stop(), 0)

    def test_labels_reach_the_worker(self):
        with Cluster(model={"method": '"stad-vmf"'}) as cluster:
            cluster.start_worker()
            cluster.wait_for_owners()
            service = self.serve(cluster)
            with numpy.load(cluster.stream) as file:
                rows, labels = file["features"][:8].astype("f4"), file["labels"][:8]
            alone = stad.StadVmf(stad.read_source(cluster.stream))
            body = {"parameters": {"sequence_id": "camera"}, "inputs": [
                {"name": "features", "shape": [8, 32], "datatype": "FP32", "data": rows.ravel().tolist()},
                {"name": "ids", "shape": [8], "datatype": "INT64", "data": list(range(8))}]}
            self.assertEqual(service.ask("POST", "/v2/models/demo/infer", body)[0], 200)
            status, answer = service.ask("POST", "/v2/models/demo/labels", {"sequence_id": "camera", "ids": [*range(8), 99],
                                                                            "labels": [*labels.tolist(), 0]})
            self.assertEqual((status, answer), (200, {"used": 8, "forgotten": 1}))
            alone.adapt(rows, ids=list(range(8)))
            alone.observe(list(range(8)), labels.tolist())
            expected = alone.adapt(rows)
            numpy.testing.assert_array_equal(numpy.array(service.infer(rows)["probabilities"], "f4"), expected.probabilities.ravel())
            status, answer = service.ask("POST", "/v2/models/demo/labels", {"sequence_id": "camera", "ids": [1], "labels": [77]})
            self.assertEqual(status, 400, answer)
            report, _ = cluster.collect(2, "--model", "demo", idle=5)  # results of labels are not batches
            self.assertEqual(report["results"], 2, report)
            self.assertEqual(service.stop(), 0)


if __name__ == "__main__":
    unittest.main()
