"""Workers that die, stall or lose what they kept."""

import signal
import time
import unittest

from cluster_test_case import ClusterTest
from local_cluster import Cluster, by_stream
from nats_client import NatsClient

PUBLISH = ("--model", "demo", "--stream", "camera", "--streams", 8)


class TakeoverTest(ClusterTest):
    def test_a_dead_workers_partitions_are_taken_over_in_fifteen_seconds(self):
        with Cluster() as cluster:
            first = cluster.start_worker()
            cluster.wait_for_owners()
            publishing = cluster.start_publishing(*PUBLISH, "--rate", 8)  # ten seconds
            cluster.start_worker()
            cluster.wait_for_owners(2)
            first.kill()
            died = time.monotonic()
            cluster.wait_for_owners(1)
            seconds = time.monotonic() - died
            print(f"taken over in {seconds:.1f} s", flush=True)
            self.assertLess(seconds, 15)
            publishing.communicate(timeout=60)
            report, answers = cluster.collect(80)
            self.assertEqual(report["out_of_order"], 0)
            self.assert_same(by_stream(answers), cluster.expected(8))

    def test_a_paused_worker_writes_nothing(self):
        with Cluster(settings={"lease": 2}) as cluster:
            paused = cluster.start_worker("--interval", 3600)  # what it takes it still has to write when it is stopped
            cluster.wait_for_owners()
            publishing = cluster.start_publishing(*PUBLISH, "--rate", 16)  # five seconds
            client = NatsClient(cluster.nats.ports[0])
            self.assert_soon(lambda: client.messages("STAD_OUT") >= 16, "results of the first worker")
            self.assertEqual(client.messages("KV_stad_states"), 0)
            paused.send_signal(signal.SIGSTOP)
            owner = cluster.status()["partitions"][0]["worker"]
            self.assertNotEqual(owner, "")
            cluster.start_worker("--interval", 0.2)
            cluster.wait_until(lambda status: all(p["worker"] not in ("", owner) for p in status["partitions"]), what="a takeover")
            publishing.communicate(timeout=60)
            cluster.collect(80)
            cluster.wait_until(lambda status: status["lag"] == 0, what="commits")
            streams = ("STAD_OUT", "STAD_DEAD", "KV_stad_states")
            kept = [client.state(stream) for stream in streams]
            paused.send_signal(signal.SIGCONT)

            def words():
                return [line["message"] for line in cluster.log_of(paused)]
            self.assert_soon(lambda: {"the lease expired before it was renewed", "a write was fenced"} <= set(words()),
                             "it finds out, and drops what it held")
            cluster.wait_for_owners(2)  # it takes its share anew, with nothing to write
            self.assertEqual([client.state(stream) for stream in streams], kept)
            _, answers = cluster.collect(80)
            self.assert_same(by_stream(answers), cluster.expected(8))
            client.close()

    def test_an_owner_whose_entry_was_replaced_lets_go(self):
        with Cluster(settings={"lease": 2, "interval": 3600}) as cluster:
            worker = cluster.start_worker()
            cluster.wait_for_owners()
            cluster.publish(*PUBLISH)
            cluster.collect(80)
            client = NatsClient(cluster.nats.ports[0])
            # As another worker may do that claims it in the same moment. This one never renews its lease.
            for partition in range(4):
                client.keep(f"$KV.stad_ownership.partition.{partition}", b'{"worker": "other", "position": 0, "epoch": 1}')

            def count(words):
                return sum(line["message"] == words for line in cluster.log_of(worker))
            self.assert_soon(lambda: count("a partition was taken over") == 4, "it takes them anew from one that is silent")
            self.assertEqual(count("a partition belongs to another worker"), 4)
            cluster.publish(*PUBLISH)
            report, answers = cluster.collect(160)
            self.assertEqual((report["refused"], report["repeated"], report["out_of_order"]), (0, 0, 0))
            self.assert_same(by_stream(answers), cluster.expected(8, times=2))
            client.close()

    def test_a_damaged_state_is_rebuilt_from_snapshot_and_log(self):
        for snapshot_every in (3, 1000):  # with a snapshot, and from the beginning of the log
            with self.subTest(snapshot_every), \
                    Cluster(settings={"interval": 0.1, "snapshot_every": snapshot_every, "lease": 2}) as cluster:
                first = cluster.start_worker()
                cluster.wait_for_owners()
                cluster.publish(*PUBLISH, "--rate", 80)
                cluster.collect(80)
                first.send_signal(signal.SIGTERM)
                first.wait(timeout=20)
                client = NatsClient(cluster.nats.ports[0])
                for stream in (0, 3):
                    self.damage(client, f"$KV.stad_states.state.demo.camera-{stream}")
                second = cluster.start_worker()
                cluster.wait_for_owners()
                client.close()
                # The same rows once more, as further time steps of the same streams.
                cluster.publish(*PUBLISH)
                report, answers = cluster.collect(160)
                self.assertEqual((report["refused"], report["repeated"]), (0, 0))
                self.assert_same(by_stream(answers), cluster.expected(8, times=2))
                status = cluster.status()
                self.assertEqual(status["dead"]["messages"], 0)
                rebuilt = [line["stream"] for line in cluster.log_of(second) if line["message"] == "a state is rebuilt from the log"]
                self.assertEqual(sorted(rebuilt), ["camera-0", "camera-3"])


if __name__ == "__main__":
    unittest.main()
