"""What the tests of the cluster share."""

import json
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts"))


def request_of(features, **parameters):
    """A request with its tensor as bytes, and its headers."""
    head = json.dumps({"parameters": {"binary_data_output": True, **parameters}, "inputs": [
        {"name": "features", "shape": features.shape, "datatype": "FP32", "parameters": {"binary_data_size": features.nbytes}}]}).encode()
    return head + features.tobytes(), {"Inference-Header-Content-Length": len(head)}


class ClusterTest(unittest.TestCase):
    def assert_same(self, found, expected):
        self.assertEqual(set(found), set(expected))
        for stream, batches in expected.items():
            self.assertEqual(len(found[stream]), len(batches), stream)
            for batch, (one, other) in enumerate(zip(found[stream], batches)):
                for a, b in zip(one, other):
                    self.assertEqual(a.tobytes(), b.tobytes(), f"{stream}, batch {batch}")

    def assert_soon(self, holds, what, seconds=20):
        """It need not hold yet: the servers and workers are asked again."""
        until = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), until, f"waited {seconds} s: {what}")
            time.sleep(0.1)

    def assert_never_stopped(self, cluster, worker):
        """None of its partitions had to begin again."""
        words = {line["message"] for line in cluster.log_of(worker)}
        self.assertFalse(words & {"a partition restarts", "a write was fenced"}, words)

    def damage(self, client, subject):
        """The newest message of a subject is replaced by one whose end is lost."""
        sequence, headers, state = client.read("KV_stad_states", last_by_subj=subject)
        ours = {name: value for name, value in headers.items() if not name.startswith("Nats-")}
        self.assertGreater(client.keep(subject, state[:-7] + bytes(7), ours)["seq"], sequence)
