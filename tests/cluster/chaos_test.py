"""Workers and the leader of the log are killed at random while streams flow: nothing is lost, nothing doubled, the order
kept, and every answer is the one a single process gives, bit for bit."""

import os
import random
import signal
import time
import unittest

from cluster_test_case import ClusterTest
from local_cluster import Cluster, by_stream

KILLS = int(os.environ.get("STAD_KILLS", "6"))  # the whole of it: 20


class ChaosTest(ClusterTest):
    def test_kills_change_nothing_that_can_be_seen(self):
        chance = random.Random(int(os.environ.get("STAD_SEED", "11")))
        streams = 60
        with Cluster(nodes=3, partitions=8, settings={"lease": 2, "interval": 0.5},
                     simulate=["--steps", "40", "--samples", "960"]) as cluster:
            workers = [cluster.start_worker() for _ in range(3)]
            cluster.wait_for_owners(3)
            batches = 40 * 960 // 64
            publishing = cluster.start_publishing("--model", "demo", "--stream", "camera", "--streams", streams,
                                                  "--rate", batches / (2.5 * KILLS))
            for kill in range(KILLS):
                time.sleep(chance.uniform(0.5, 2.5))
                if kill % 2 == 0:
                    victim = chance.randrange(len(workers))
                    workers[victim].send_signal(signal.SIGKILL)
                    workers[victim].wait()
                    workers[victim] = cluster.start_worker()
                    print(f"kill {kill + 1}: a worker", flush=True)
                else:
                    # Three replicas outlive one loss at a time: the last one lost must have come back.
                    status = cluster.wait_until(lambda status: status["inputs"]["leader"] and all(
                        status[log]["current_replicas"] == 3 for log in ("inputs", "results")), what="three replicas", seconds=60)
                    leader = status["inputs"]["leader"]
                    node = int(leader.removeprefix("node-"))
                    cluster.nats.kill(node)
                    time.sleep(chance.uniform(0.5, 1.5))
                    cluster.nats.start(node)
                    cluster.nats.wait_for(node)
                    print(f"kill {kill + 1}: {leader}, which led the log", flush=True)
            publishing.communicate(timeout=180)
            self.assertEqual(publishing.returncode, 0)
            report, answers = cluster.collect(batches)
            print(report, flush=True)
            self.assertEqual((report["results"], report["refused"], report["out_of_order"]), (batches, 0, 0))
            self.assert_same(by_stream(answers), cluster.expected(streams))


if __name__ == "__main__":
    unittest.main()
