"""Messages at the limits of the servers: whatever is sent, partitions go on."""

import signal
import unittest

import numpy

import stad
from cluster_test_case import ClusterTest, request_of
from local_cluster import Cluster
from nats_client import NatsClient

LIMIT = 65536  # max_payload, bytes


class LimitsTest(ClusterTest):
    def setUp(self):
        self.cluster = Cluster(max_payload="64KB", settings={"interval": 0.1},
                               simulate=["--dimension", "8", "--classes", "20"])
        self.addCleanup(lambda: self.cluster.__exit__(None))
        self.worker = self.cluster.start_worker()
        self.cluster.wait_for_owners()
        self.client = NatsClient(self.cluster.nats.ports[0])
        self.addCleanup(self.client.close)

    def dead(self, count):
        """The newest dead message, when there are so many."""
        self.assert_soon(lambda: self.client.messages("STAD_DEAD") == count, f"{count} dead messages")
        return self.client.read("STAD_DEAD", last_by_subj="stad.dead")[1:]

    def test_an_answer_beyond_the_limit_is_refused_and_nothing_is_learned(self):
        rows = numpy.random.default_rng(1).normal(size=(404, 8)).astype("f4")
        small, large = rows[:4], rows[4:]
        for features, parameters in ((small, {}), (large, {"binary_data_output": False}), (small, {}), (large, {})):
            self.client.keep("stad.in.demo.camera", *request_of(features, **parameters))
        report, answers = self.cluster.collect(4)
        self.assertEqual(report["refused"], 1)
        _, headers, _ = self.client.read("STAD_OUT", seq=2)
        self.assertEqual(headers["Stad-Status"], "413")
        self.assertRegex(headers["Stad-Error"], r"^the answer has \d+ bytes, must have at most 61440 .*max_payload.*binary_data_output$")
        self.assertEqual(self.dead(1)[1], request_of(large, binary_data_output=False)[0])
        self.assert_never_stopped(self.cluster, self.worker)
        # Replayed, it is refused again.
        self.worker.send_signal(signal.SIGTERM)
        self.worker.wait(timeout=20)
        self.damage(self.client, "$KV.stad_states.state.demo.camera")
        self.cluster.start_worker()
        self.client.keep("stad.in.demo.camera", *request_of(small))
        _, answers = self.cluster.collect(5)
        alone = stad.StadSafe(stad.read_source(self.cluster.stream))
        expected = [alone.adapt(batch) for batch in (small, small, large, small)]
        self.assertEqual(answers["probabilities"].tobytes(), b"".join(numpy.array(a.probabilities).tobytes() for a in expected))

    def test_poison_as_large_as_the_limit_is_told_without_its_payload(self):
        payload = b"{" + (LIMIT - 200) * b" "
        self.client.keep("stad.in.demo.camera", payload, {"Nats-Msg-Id": "large"})
        headers, body = self.dead(1)
        self.assertEqual((body, headers["Stad-Input-Id"], headers["Stad-Status"]), (b"", "large", "400"))
        self.assertEqual(headers["Stad-Omitted"],
                         f"the payload of {len(payload)} bytes does not fit beside the reason; message 1 of STAD_IN has it")
        self.assertEqual(self.client.read("STAD_IN", seq=1)[2], payload)
        self.assert_never_stopped(self.cluster, self.worker)

    def test_long_headers_are_repeated_in_short(self):
        body, headers = request_of(numpy.ones((2, 8), "f4"))
        long = 25_000 * "x"
        self.client.keep("stad.in.demo.camera", body, {**headers, "Nats-Msg-Id": long, "Stad-Shape": long})
        found, payload = self.dead(1)
        self.assertEqual(payload, body)
        self.assertEqual(found["Stad-Input-Id"], 512 * "x" + "...")
        self.assertRegex(found["Stad-Error"], r"^header Stad-Shape is 'x{400,}\.\.\.$")
        self.client.keep("stad.in.demo.camera", body, {**headers, "Nats-Msg-Id": long + "y", "Stad-Time": long})
        report, _ = self.cluster.collect(2)
        self.assertEqual(report["refused"], 1)
        self.assert_never_stopped(self.cluster, self.worker)

    def test_a_reply_to_what_is_no_inbox_is_not_sent(self):
        body, headers = request_of(numpy.ones((2, 8), "f4"))
        for reply in ("_INBOX.a b c", "_INBOX." + 5000 * "a", "_INBOX.>", "_INBOX..a", "stad.dead"):
            self.client.keep("stad.in.demo.camera", body, {**headers, "Stad-Reply": reply})
        report, _ = self.cluster.collect(5)
        self.assertEqual((report["refused"], self.client.messages("STAD_DEAD")), (0, 0))
        self.client.publish("stad.in.demo.camera", body, {**headers, "Stad-Reply": "_INBOX.test"})
        self.assertEqual(self.client.next()[0]["Stad-Sequence"], "6")
        self.assert_never_stopped(self.cluster, self.worker)

    def test_a_stream_of_any_name_is_where_the_mapping_puts_it(self):
        tokens = ("=", "a=2Eb", "caf=C3=A9", "=3D", 256 * "a", 128 * "=C3=A9")
        for token in tokens:
            self.assertIn("seq", self.client.keep(f"stad.in.demo.{token}", *request_of(numpy.ones((2, 8), "f4"))))
        report, _ = self.cluster.collect(len(tokens))
        self.assertEqual((report["refused"], report["streams"]), (0, len(tokens)))
        self.assert_never_stopped(self.cluster, self.worker)

    def test_a_message_on_another_partition_is_refused(self):
        body, headers = request_of(numpy.ones((2, 8), "f4"))
        self.client.keep("stad.in.demo.camera", body, headers)
        for partition in range(4):
            self.client.keep(f"stad.partition.{partition}.demo.camera", body, headers)
        report, answers = self.cluster.collect(5)
        self.assertEqual((report["refused"], len(answers["labels"])), (3, 4))
        headers, _ = self.dead(3)
        self.assertRegex(headers["Stad-Error"], r"publish to stad\.in\.demo\.camera, .*partition\(4,1,2\)")
        self.assert_never_stopped(self.cluster, self.worker)


if __name__ == "__main__":
    unittest.main()
