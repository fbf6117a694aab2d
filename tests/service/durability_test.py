"""Nothing lost: restarts, repetitions, full disks, more streams than memory. Kills under load: kills_test.py."""

import concurrent.futures
import resource
import time
import unittest

import numpy

from service import Refused, ServiceTest


class Durability(ServiceTest):
    def test_a_repeated_request_is_answered_once_and_learned_once(self):
        service = self.serve(config='durability = "batch"')
        first = service.infer("m", self.features[:8], request_id="one")
        self.assertEqual(first[1]["batch"], 1)
        again = service.infer("m", self.features[:8], request_id="one")
        self.assertEqual(again[1]["batch"], 1)
        other = service.infer("m", self.features[8:16], request_id="one")  # an id used again for something else
        self.assertEqual(other[1]["batch"], 2)
        key = {"Idempotency-Key": "k"}
        service.infer("m", self.features[:8], headers=key)
        self.refused(422, "was used for another request", service.infer, "m", self.features[8:16], headers=key)
        service.kill()
        service.start()
        self.assertEqual(service.infer("m", self.features[:8], headers=key)[1]["batch"], 3)

    def test_interval_keeps_all_but_the_last_moments(self):
        service = self.serve(config="interval = 0.05")
        for batch in self.batches(8):
            service.infer("m", batch)
        self.eventually(lambda: service.ask("GET", "/admin/models/m/streams/-")["saved"])
        service.kill()
        service.start()
        self.assertEqual(service.ask("GET", "/admin/models/m/streams/-")["batches"], 8)

    def test_a_graceful_end_keeps_everything(self):
        for durability in ("none", "interval"):
            with self.subTest(durability=durability):
                service = self.serve(config=f'durability = "{durability}"\ninterval = 3600')
                before = service.infer("m", self.features[:8], sequence_id=durability)[1]["batch"]
                self.assertEqual(service.stop(), 0)
                service.start()
                self.assertEqual(service.ask("GET", f"/admin/models/m/streams/{durability}")["batches"], before)
                service.stop()

    def test_a_disk_that_was_full_once_costs_nothing_later(self):
        service = self.serve(config='durability = "none"')
        for stream in range(100):
            service.infer("m", self.features[:8], sequence_id=f"s{stream}")
        unlimited = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (4096, unlimited[1]))
        self.refused(503, "stad.sqlite", service.ask, "POST", "/admin/models/m/streams/s0/snapshots")
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, unlimited)
        self.assertEqual(service.stop(), 0)
        self.assertNotIn("not everything could be saved", [line["message"] for line in service.log])
        service.start()
        self.assertEqual(len(service.ask("GET", "/admin/models/m/streams?limit=1000")["streams"]), 100)

    def limit_files(self, service, size=None):
        """As on a full disk: files cannot grow beyond `size` bytes; none: without limit."""
        most = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))

    def test_a_batch_whose_write_failed_is_not_learned(self):
        """The disk is full for a while: what was answered with 503 leaves no effect, and repeating it teaches it once."""
        service = self.serve(config='durability = "batch"')
        calm = self.serve("--data", "")
        for number, batch in enumerate(self.batches(12)):
            if number % 3 == 1:
                self.limit_files(service, 4096)
                for _ in range(3):
                    self.refused(503, "stad.sqlite", service.infer, "m", batch)
                    self.refused(503, "stad.sqlite", service.infer, "m", batch, request_id=f"batch {number}")
                self.limit_files(service)
            tensors, parameters = service.infer("m", batch)
            self.assertEqual(parameters["batch"], number + 1)
            numpy.testing.assert_array_equal(tensors["probabilities"], calm.infer("m", batch)[0]["probabilities"])
        self.assertEqual(service.ask("GET", "/admin/models/m/streams/-")["batches"], 12)
        service.kill()
        service.start()
        self.assertEqual(service.ask("GET", "/admin/models/m/streams/-")["batches"], 12)

    def test_a_first_batch_whose_write_failed_leaves_no_stream(self):
        service = self.serve(config='durability = "batch"')
        self.limit_files(service, 4096)
        self.refused(503, "stad.sqlite", service.infer, "m", self.features[:8], sequence_id="s")
        self.limit_files(service)
        self.refused(404, "does not exist", service.ask, "GET", "/admin/models/m/streams/s")

    def test_concurrent_batches_of_a_stream_are_learned_if_and_only_if_they_were_acknowledged(self):
        service = self.serve(config='durability = "batch"')
        acknowledged = []

        def send(number):
            client = service.client()
            for step in range(30):
                try:
                    client.infer("m", self.features[step * 4:step * 4 + 4])
                    acknowledged.append(number)
                except Refused as refused:
                    self.assertEqual(refused.status, 503)
            client.connection.close()

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            clients = [pool.submit(send, number) for number in range(4)]
            while not all(client.done() for client in clients):
                self.limit_files(service, 4096)
                time.sleep(0.005)
                self.limit_files(service)
                time.sleep(0.02)
            for client in clients:
                client.result()
        self.assertEqual(service.ask("GET", "/admin/models/m/streams/-")["batches"], len(acknowledged))
        service.kill()
        service.start()
        self.assertEqual(service.ask("GET", "/admin/models/m/streams/-")["batches"], len(acknowledged))

    def test_a_reset_that_cannot_be_undone_is_not_done(self):
        service = self.serve(config='durability = "none"')
        service.infer("m", self.features[:8])
        before = service.ask("GET", "/admin/models/m/streams/-/state")
        unlimited = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (4096, unlimited[1]))
        self.refused(503, "stad.sqlite", service.ask, "POST", "/admin/models/m/streams/-/reset")
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, unlimited)
        self.assertEqual(service.ask("GET", "/admin/models/m/streams/-/state"), before)

    def test_more_streams_than_memory_wait_on_disk(self):
        service = self.serve("--memory", "100 KB")
        calm = self.serve("--data", "")
        for batch in self.batches(3):
            for stream in range(40):
                service.infer("m", batch, sequence_id=f"s{stream}")
        expected = [calm.infer("m", batch)[0] for batch in self.batches(4)][-1]
        for stream in range(40):
            tensors, parameters = service.infer("m", self.batches(4)[-1], sequence_id=f"s{stream}")
            self.assertEqual(parameters["batch"], 4)
            numpy.testing.assert_array_equal(tensors["probabilities"], expected["probabilities"])
        self.eventually(lambda: service.ask("GET", "/admin/models")["models"][0]["streams"]["resident"] < 40)

    def test_a_changed_head_is_refused_and_the_state_kept(self):
        service = self.serve()
        service.infer("m", self.features[:8])
        service.stop()
        changed = self.serve(method="stad-vmf")
        self.refused(409, "reset the stream, or serve the model", changed.infer, "m", self.features[:8])
        changed.stop()
        again = self.serve()
        self.assertEqual(again.infer("m", self.features[:8])[1]["batch"], 2)
        again.stop()
        changed = self.serve(method="stad-vmf")
        changed.ask("POST", "/admin/models/m/streams/-/reset")
        self.assertEqual(changed.infer("m", self.features[:8])[1]["batch"], 1)


if __name__ == "__main__":
    unittest.main()
