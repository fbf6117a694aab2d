"""Readiness and errors tell what is wrong with the store; liveness does not depend on it."""

import json
import os
import resource
import sqlite3
import time
import unittest

from service import ServiceTest

STREAM = "/admin/models/m/streams/s"


class Health(ServiceTest):
    def damage(self, table, where="1"):
        """Changes bytes in the middle of stored states, as a failing disk does."""
        with sqlite3.connect(os.path.join(self.path("data"), "stad.sqlite")) as database:
            for row, state in database.execute(f"SELECT rowid, state FROM {table} WHERE {where}").fetchall():
                middle = len(state) // 2
                broken = state[:middle] + bytes(byte ^ 0xFF for byte in state[middle:middle + 64]) + state[middle + 64:]
                database.execute(f"UPDATE {table} SET state = ? WHERE rowid = ?", (broken, row))
        database.close()

    def readiness(self, service):
        status, _, body = service.send("GET", "/readyz")
        self.assertEqual(service.send("GET", "/livez")[0], 200)
        self.assertEqual(service.send("GET", "/v2/health/live")[0], 200)
        self.assertEqual(service.send("GET", "/v2/health/ready")[0], status)
        return status, json.loads(body).get("error", "")

    def metric(self, service, name):
        lines = service.send("GET", "/metrics")[2].decode().splitlines()
        return float(next(line.split()[1] for line in lines if line.startswith(name + " ")))

    def with_damaged_state(self, snapshots=2):
        """A service whose stream s is damaged, and whose snapshots 1 to `snapshots` are not."""
        service = self.serve(config='durability = "batch"')
        for batch in self.batches(3):
            service.infer("m", batch, sequence_id="s")
            if snapshots > 0:
                service.ask("POST", f"{STREAM}/snapshots")
        service.infer("m", self.features[:8], sequence_id="sound")
        service.stop()
        self.damage("streams", "stream = 's'")
        self.damage("snapshots", f"id > {snapshots}")
        service.start()
        return service

    def test_a_damaged_state_is_an_error_of_the_service(self):
        service = self.with_damaged_state()
        self.assertEqual(self.readiness(service)[0], 200)  # not read yet
        for _ in range(2):
            self.refused(500, "the stored state of stream 's' of model m is damaged", service.infer, "m", self.features[:8],
                         sequence_id="s")
        self.refused(500, "roll it back to snapshot 2", service.ask, "GET", STREAM)
        self.assertEqual(self.readiness(service), (503, "damaged states: 1; the event damaged names each"))
        self.assertEqual(self.metric(service, 'stad_damaged_streams{model="m"}'), 1)
        self.assertEqual(self.metric(service, "stad_ready"), 0)
        self.assertEqual(service.infer("m", self.features[8:16], sequence_id="sound")[1]["batch"], 2)
        events = [event for event in service.ask("GET", "/admin/events?model=m&stream=s")["events"] if event["kind"] == "damaged"]
        self.assertEqual(len(events), 1)
        service.ask("POST", f"{STREAM}/rollback", {"snapshot": 2})
        self.assertEqual(self.readiness(service)[0], 200)
        self.assertEqual(self.metric(service, 'stad_damaged_streams{model="m"}'), 0)
        self.assertEqual(service.infer("m", self.features[:8], sequence_id="s")[1]["batch"], 3)
        service.stop()
        self.assertEqual(sum(line["message"] == "a stored state is damaged" for line in service.log), 1)

    def test_a_damaged_state_without_a_sound_snapshot_can_be_reset_or_deleted(self):
        for operation in (("POST", f"{STREAM}/reset"), ("DELETE", STREAM)):
            with self.subTest(operation=operation):
                service = self.with_damaged_state(snapshots=0)
                self.refused(500, "no snapshot that can be read: reset it", service.infer, "m", self.features[:8], sequence_id="s")
                service.ask(*operation)
                self.assertEqual(self.readiness(service)[0], 200)
                self.assertEqual(service.infer("m", self.features[:8], sequence_id="s")[1]["batch"], 1)
                service.stop()
                for name in os.listdir(self.path("data")):
                    os.remove(os.path.join(self.path("data"), name))

    def test_metrics_describe_the_process_and_the_build(self):
        service = self.serve("--data", "")
        self.assertGreater(self.metric(service, "process_resident_memory_bytes"), 1e6)
        self.assertLess(self.metric(service, "process_resident_memory_bytes"), self.metric(service, "process_virtual_memory_bytes"))
        self.assertLess(self.metric(service, "process_open_fds"), self.metric(service, "process_max_fds"))
        self.assertAlmostEqual(self.metric(service, "process_start_time_seconds"), time.time(), delta=60)
        before = self.metric(service, "process_cpu_seconds_total")
        for _ in range(200):
            service.infer("m", self.features[:64])
        self.assertGreater(self.metric(service, "process_cpu_seconds_total"), before)
        self.assertRegex(service.send("GET", "/metrics")[2].decode(), r'stad_build_info{version="\d+\.\d+\.\d+"} 1')

    def test_a_disk_that_cannot_be_written_is_not_ready_until_it_can(self):
        service = self.serve(config='durability = "batch"')
        service.infer("m", self.features[:8])
        unlimited = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (4096, unlimited[1]))
        self.assertEqual(self.metric(service, "stad_failed_commits"), 0)
        self.refused(503, "stad.sqlite", service.infer, "m", self.features[8:16])
        self.assertGreater(self.metric(service, "stad_failed_commits"), 0)
        status, error = self.readiness(service)
        self.assertEqual((status, "the last write to the database failed" in error), (503, True), error)
        self.assertNotIn(self.folder.name, error)
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, unlimited)
        self.eventually(lambda: service.send("GET", "/readyz")[0] == 200)  # without a request that writes
        self.assertEqual(self.readiness(service), (200, ""))

    def test_too_little_disk_space_is_not_ready(self):
        service = self.serve(config='min_free = "1000000 GB"')
        status, error = self.readiness(service)
        self.assertEqual((status, "bytes are free on the disk" in error), (503, True), error)
        service.stop()
        service = self.serve(config="min_free = 0")
        self.assertEqual(self.readiness(service), (200, ""))

    def test_a_damaged_database_is_not_ready(self):
        service = self.serve(config='durability = "batch"')
        for stream in range(200):
            service.infer("m", self.features[:4], sequence_id=f"s{stream}")
        service.stop()
        path = os.path.join(self.path("data"), "stad.sqlite")
        with open(path, "r+b") as file:
            size = os.path.getsize(path)
            file.seek(size // 4 // 8192 * 8192)
            file.write(b"\xA5" * (size // 2))
        service.start()
        for stream in range(200):
            status = service.send("GET", f"/admin/models/m/streams/s{stream}")[0]
            self.assertIn(status, (200, 404, 500, 503))
        status, error = self.readiness(service)
        self.assertEqual((status, "damaged" in error), (503, True), error)


if __name__ == "__main__":
    unittest.main()
