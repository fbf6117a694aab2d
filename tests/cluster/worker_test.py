"""What a cluster does while nothing goes wrong, and with what people send it."""

import json
import signal
import unittest

import numpy

import stad
from cluster_test_case import ClusterTest, request_of
from local_cluster import Cluster, by_stream
from nats_client import NatsClient


class WorkerTest(ClusterTest):
    def test_gives_the_answers_of_a_single_process(self):
        makes = {"stad-safe": stad.StadSafe, "stad-vmf": stad.StadVmf, "stad-gauss": stad.StadGauss, "t3a": stad.T3A}
        for method, make in makes.items():
            with self.subTest(method), Cluster(model={"method": f'"{method}"'}) as cluster:
                cluster.start_worker()
                cluster.wait_for_owners()
                cluster.publish("--model", "demo", "--stream", "camera", "--streams", 5)
                report, answers = cluster.collect(80)
                self.assertEqual((report["repeated"], report["out_of_order"]), (0, 0))
                self.assert_same(by_stream(answers), cluster.expected(5, make=make))

    def test_states_beyond_a_message_are_cut_and_put_together(self):
        with Cluster(model={"method": '"stad-vmf"'}, settings={"max_entry": 3000, "interval": 0.1, "memory": 1}) as cluster:
            cluster.start_worker()
            cluster.wait_for_owners()
            cluster.publish("--model", "demo", "--stream", "camera", "--streams", 5, "--rate", 40)
            _, answers = cluster.collect(80)
            self.assert_same(by_stream(answers), cluster.expected(5, make=stad.StadVmf))
            client = NatsClient(cluster.nats.ports[0])
            _, headers, _ = client.read("KV_stad_states", last_by_subj="$KV.stad_states.state.demo.camera-0")
            self.assertGreater(int(headers["Stad-Chunks"]), 3)
            # What was written before is gone: five entries and the chunks of the newest states.
            self.assertLess(client.messages("KV_stad_states"), 5 + 2 * 5 * int(headers["Stad-Chunks"]))
            client.close()

    def test_streams_beyond_memory_come_back_as_they_left(self):
        for cache in (False, True):
            with self.subTest(cache=cache), Cluster() as cluster:
                folder = cluster.folder / "cache"
                cluster.start_worker("--interval", 0.05, "--memory", 1, *(["--cache", folder] if cache else []))
                cluster.wait_for_owners()
                cluster.publish("--model", "demo", "--stream", "camera", "--streams", 5, "--rate", 40)
                _, answers = cluster.collect(80)
                self.assert_same(by_stream(answers), cluster.expected(5))
                self.assertEqual((folder / "stad-worker.sqlite").exists(), cache)

    def test_what_waits_to_be_committed_is_bounded_by_memory(self):
        with Cluster(settings={"interval": 3600, "memory": 1}) as cluster:
            worker = cluster.start_worker()
            cluster.wait_for_owners()
            cluster.publish("--model", "demo", "--stream", "camera", "--streams", 5)
            _, answers = cluster.collect(80)
            client = NatsClient(cluster.nats.ports[0])
            self.assert_soon(lambda: client.messages("KV_stad_states") == 5, "states, long before the interval is over")
            self.assert_same(by_stream(answers), cluster.expected(5))
            self.assert_never_stopped(cluster, worker)
            client.close()

    def test_a_batch_beyond_the_limit_is_split_by_the_client(self):
        with Cluster(max_payload="16KB", simulate=["--samples", "512"]) as cluster:
            cluster.start_worker()
            cluster.wait_for_owners()
            done = cluster.publish("--model", "demo", "--stream", "camera", "--batch-size", 512)
            self.assertEqual(done["batches"], 20)
            self.assertGreater(done["messages"], 2 * 20)
            report, _ = cluster.collect(done["messages"])
            self.assertEqual(report["rows"], 20 * 512)
            client = NatsClient(cluster.nats.ports[0])
            client.publish("stad.in.demo.camera", bytes(20_000))
            with self.assertRaisesRegex(ConnectionError, "Maximum Payload"):
                client.next()
            client.close()
            wide = cluster.folder / "wide.npy"
            numpy.save(wide, numpy.ones((1, 5000), "f4"))
            refused = cluster.command("publish", wide, "--config", cluster.config, "--model", "demo", "--stream", "x", check=False)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("16384 bytes (max_payload)", refused.stderr)

    def test_poison_goes_to_the_dead_and_stops_no_worker(self):
        with Cluster(settings={"interval": 0.1}) as cluster:
            cluster.start_worker()
            cluster.wait_for_owners()
            client = NatsClient(cluster.nats.ports[0])
            good = numpy.ones((2, 32), "f4")
            nan = good.copy()
            nan[1, 3] = numpy.nan
            payload, headers = request_of(good)
            poison = {
                "has 31 values|31": ("demo.camera", *request_of(numpy.ones((2, 31), "f4"))),
                "not finite|nan|NaN": ("demo.camera", *request_of(nan)),
                "nothere": ("nothere.camera", payload, headers),
                "Stad-Shape is '3x32'": ("demo.camera", payload, {**headers, "Stad-Shape": "3x32"}),
                "JSON": ("demo.camera", b"{", {}),
                "Inference-Header-Content-Length": ("demo.camera", payload, {"Inference-Header-Content-Length": "many"}),
                "sequence_id": ("demo.camera", *request_of(good, sequence_id="another")),
                "two hexadecimal digits": ("demo.=zz", payload, headers),
                "must be '=2E'": ("demo.=2e", payload, headers),
                "must be 'A'": ("demo.=41", payload, headers),
                "257 bytes, must have at most 256": ("demo." + 257 * "a", payload, headers),
                "must be UTF-8": ("demo.=FF", payload, headers),
            }
            for number, (rule, (subject, body, head)) in enumerate(poison.items(), 1):
                self.assertIn("seq", client.keep(f"stad.in.{subject}", body, {**head, "Nats-Msg-Id": f"poison-{number}"}))
            # A reply is sent to an inbox and nowhere else: here it would write what only workers may.
            client.keep("stad.in.demo.camera", payload, {**headers, "Stad-Reply": "$KV.stad_ownership.partition.0"})
            report, answers = cluster.collect(1 + len(poison))
            _, _, entry = client.read("KV_stad_ownership", last_by_subj="$KV.stad_ownership.partition.0")
            self.assertIn("worker", json.loads(entry))
            self.assertEqual((report["refused"], len(answers["labels"])), (len(poison), 2))
            self.assert_soon(lambda: client.messages("STAD_DEAD") == len(poison), "dead messages")  # after their results
            rules = dict(zip(range(1, 1 + len(poison)), poison))
            for number in rules:
                _, found, body = client.read("STAD_DEAD", seq=number)
                sent = int(found["Stad-Input-Id"].removeprefix("poison-"))
                self.assertRegex(found["Stad-Error"], rules[sent])
                self.assertEqual(body, poison[rules[sent]][1])
                self.assertRegex(found["Stad-Subject"], r"^stad\.partition\.\d\.")
            client.close()

    def test_a_sequence_can_be_ended(self):
        with Cluster(settings={"interval": 0.1}) as cluster:
            worker = cluster.start_worker()
            cluster.wait_for_owners()
            client = NatsClient(cluster.nats.ports[0])
            rows = numpy.random.default_rng(1).normal(size=(3, 8, 32)).astype("f4")
            for features, parameters in zip(rows, ({}, {"sequence_end": True}, {})):
                body, headers = request_of(features, **parameters)
                client.keep("stad.in.demo.camera", body, headers)
            _, answers = cluster.collect(3)
            source = stad.read_source(cluster.stream)
            first, anew = stad.StadSafe(source), stad.StadSafe(source)
            expected = [first.adapt(rows[0]), first.adapt(rows[1]), anew.adapt(rows[2])]
            self.assertEqual(answers["probabilities"].tobytes(), b"".join(numpy.array(a.probabilities).tobytes() for a in expected))
            client.close()

    def test_a_sequence_that_starts_needs_no_state_of_another_model(self):
        with Cluster(settings={"interval": 0.1}) as cluster:
            rows = numpy.random.default_rng(1).normal(size=(3, 8, 32)).astype("f4")
            first = cluster.start_worker()
            cluster.wait_for_owners()
            client = NatsClient(cluster.nats.ports[0])
            client.keep("stad.in.demo.camera", *request_of(rows[0]))
            cluster.collect(1)
            first.send_signal(signal.SIGTERM)
            first.wait(timeout=20)
            cluster.config.write_text(cluster.config.read_text().replace("[cluster]", 'method = "stad-vmf"\n[cluster]'))
            cluster.start_worker()
            cluster.wait_for_owners()
            bad = numpy.full((8, 32), numpy.nan, "f4")
            for features, parameters in ((rows[1], {}), (rows[1], {"sequence_end": True}), (bad, {"sequence_start": True}),
                                         (rows[1], {}), (rows[1], {"sequence_start": True}), (rows[2], {})):
                client.keep("stad.in.demo.camera", *request_of(features, **parameters))
            report, answers = cluster.collect(7)
            self.assertEqual(report["refused"], 4)
            for number in (1, 2, 4):
                _, headers, _ = client.read("STAD_DEAD", seq=number)
                self.assertEqual(headers["Stad-Status"], "409")
                self.assertIn("sequence_start resets the stream", headers["Stad-Error"])
            source = stad.read_source(cluster.stream)
            anew = stad.StadVmf(source)
            expected = b"".join(numpy.array(anew.adapt(batch).probabilities).tobytes() for batch in rows[1:])
            self.assertTrue(answers["probabilities"].tobytes().endswith(expected))
            client.close()

    def test_the_chunks_of_a_sequence_that_ended_go(self):
        with Cluster(model={"method": '"stad-vmf"'}, settings={"max_entry": 1000, "interval": 0.1}) as cluster:
            cluster.start_worker()
            cluster.wait_for_owners()
            client = NatsClient(cluster.nats.ports[0])
            rows = numpy.random.default_rng(1).normal(size=(64, 32)).astype("f4")
            client.keep("stad.in.demo.camera", *request_of(rows))
            self.assert_soon(lambda: client.messages("KV_stad_states") > 3, "chunks")
            client.keep("stad.in.demo.camera", *request_of(rows, sequence_end=True))
            self.assert_soon(lambda: client.messages("KV_stad_states") == 1, "the entry alone")
            client.close()

    def test_a_worker_that_is_told_to_end_commits_and_hands_over_at_once(self):
        with Cluster(settings={"interval": 3600, "lease": 60}) as cluster:
            first = cluster.start_worker()
            cluster.wait_for_owners()
            cluster.publish("--model", "demo", "--stream", "camera", "--streams", 5)
            cluster.collect(80)
            first.send_signal(signal.SIGTERM)
            self.assertEqual(first.wait(timeout=20), 0)
            status = cluster.status()
            self.assertEqual(({p["worker"] for p in status["partitions"]}, status["workers"]), ({""}, []))
            self.assertIsNone(status["lag"], "no worker takes messages, so the lag is unknown")
            self.assertEqual(max(p["position"] for p in status["partitions"]), 80)
            second = cluster.start_worker()
            cluster.wait_for_owners(1)  # long before a lease of a minute is over
            cluster.publish("--model", "demo", "--stream", "camera", "--streams", 5)
            report, _ = cluster.collect(160)
            self.assertEqual(report["repeated"], 0)
            self.assertEqual([line for line in cluster.log_of(second) if line["level"] != "info"], [])

    def test_refuses_what_cannot_work(self):
        with Cluster() as cluster:
            def failure(*arguments):
                done = cluster.command(*arguments, check=False)
                self.assertNotEqual(done.returncode, 0)
                return done.stderr
            self.assertIn("STAD_OUT", failure("subscribe", "--config", cluster.config, "--idle", 1))
            unreachable = failure("cluster", "status", "--nats", "nats://me:secret@127.0.0.1:1")
            self.assertIn("nats://127.0.0.1:1", unreachable)
            self.assertNotIn("secret", unreachable)
            self.assertIn("no worker has created stream STAD_IN", failure("cluster", "status", "--config", cluster.config))
            self.assertIn("stad.in.demo.camera", failure("publish", cluster.stream, "--config", cluster.config, "--model", "demo",
                                                         "--stream", "camera", "--patience", "1"))
            cluster.start_worker()
            cluster.wait_for_owners()
            self.assertIn("partitions is 5, but stream STAD_IN has 4", failure("worker", "--config", cluster.config, "--partitions", "5"))
            self.assertIn("nats://127.0.0.1:1", failure("worker", "--config", cluster.config, "--nats", "nats://127.0.0.1:1"))
            self.assertIn("lease is 'x'", failure("worker", "--config", cluster.config, "--lease", "x"))
            broken = cluster.folder / "broken.toml"
            broken.write_text("[cluster]\nleese = 3\n")
            self.assertIn("broken.toml:2: unknown setting 'leese' of the cluster", failure("worker", "--config", broken))


if __name__ == "__main__":
    unittest.main()
