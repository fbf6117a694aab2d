"""More partitions for streams that are there, as docs/cluster.md says how."""

import signal
import unittest

from cluster_test_case import ClusterTest
from local_cluster import Cluster, by_stream
from nats_client import NatsClient

PUBLISH = ("--model", "demo", "--stream", "camera", "--streams", 8)


class GrowthTest(ClusterTest):
    def test_streams_go_on_where_partitions_are_added(self):
        with Cluster(partitions=3, settings={"lease": 2}) as cluster:
            for _ in range(2):  # owners that come and go, so that states are of late epochs
                first = cluster.start_worker()
                cluster.wait_for_owners()
                first.send_signal(signal.SIGTERM)
                first.wait(timeout=20)
            first = cluster.start_worker()
            cluster.wait_for_owners()
            cluster.publish(*PUBLISH)
            cluster.collect(80)
            cluster.wait_until(lambda status: status["lag"] == 0, what="commits")
            first.send_signal(signal.SIGTERM)
            first.wait(timeout=20)
            self.grow(cluster, 7)
            second = cluster.start_worker()
            cluster.wait_for_owners()
            cluster.publish(*PUBLISH)
            report, answers = cluster.collect(160)
            self.assertEqual((report["refused"], report["repeated"], report["out_of_order"]), (0, 0, 0))
            self.assert_same(by_stream(answers), cluster.expected(8, times=2))
            self.assertEqual([line for line in cluster.log_of(second) if line["level"] != "info"], [])

    @staticmethod
    def grow(cluster, partitions):
        client = NatsClient(cluster.nats.ports[0])
        client.manage("STREAM.PURGE", "STAD_IN")
        config = client.manage("STREAM.INFO", "STAD_IN")["config"]
        client.manage("STREAM.UPDATE", "STAD_IN", **{**config, "subjects": [f"stad.partition.{p}.*.*" for p in range(partitions)]})
        client.close()
        cluster.nats.kill(0)
        cluster.nats.configure(0, partitions)
        cluster.nats.start(0)
        cluster.nats.wait_for(0)
        cluster.config.write_text(cluster.config.read_text().replace("partitions = 3", f"partitions = {partitions}"))


if __name__ == "__main__":
    unittest.main()
