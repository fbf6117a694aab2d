"""The service answers for streams that workers own."""

import http.client
import json
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
    def __init__(self, cluster):
        config = cluster.folder / "service.toml"
        config.write_text(cluster.config.read_text().replace("[cluster]", "cluster = true\n[cluster]"))
        self.process = subprocess.Popen([SERVER, "--config", config, "--listen", "127.0.0.1:0", "--data", ""],
                                        stderr=subprocess.PIPE, text=True)
        line = json.loads(self.process.stderr.readline())
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

    def stop(self):
        self.connection.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.stderr.close()
        return self.process.wait(timeout=30)


class ServiceTest(ClusterTest):
    def test_answers_as_the_workers_do(self):
        with Cluster(settings={"lease": 2}) as cluster:
            worker = cluster.start_worker()
            cluster.wait_for_owners()
            service = Service(cluster)
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
            service = Service(cluster)
            status, error = service.infer(numpy.ones((1, 32), "f4"))
            self.assertEqual((status, "no worker" in error), (503, True), error)
            service.stop()


if __name__ == "__main__":
    unittest.main()
