"""What people do to models and streams."""

import base64
import http.client
import json
import unittest

import numpy

from service import ServiceTest, run_command

STREAM = "/admin/models/m/streams/s"


class Admin(ServiceTest):
    def probabilities(self, service, rows):
        return service.infer("m", rows, sequence_id="s", adapt=False)[0]["probabilities"]

    def test_rolls_back_to_any_kept_snapshot(self):
        service = self.serve()
        looked_at = self.features[300:310]
        kept = {}
        for batch in self.batches(4):
            service.infer("m", batch, sequence_id="s")
            number = service.ask("POST", f"{STREAM}/snapshots", {"note": "now"})["id"]
            kept[number] = self.probabilities(service, looked_at)
        for number in reversed(kept):
            service.ask("POST", f"{STREAM}/rollback", {"snapshot": number})
            numpy.testing.assert_array_equal(self.probabilities(service, looked_at), kept[number])
        notes = [snapshot["note"] for snapshot in service.ask("GET", f"{STREAM}/snapshots")["snapshots"]]
        self.assertEqual((notes.count("now"), notes.count("before rollback")), (4, 4))
        self.refused(404, "snapshot 999 of stream s of m does not exist", service.ask, "POST", f"{STREAM}/rollback",
                     {"snapshot": 999})
        kinds = [event["kind"] for event in service.ask("GET", "/admin/events?model=m&stream=s")["events"]]
        self.assertEqual(kinds.count("rollback"), 4)

    def test_resets_and_takes_back_the_reset(self):
        service = self.serve()
        for batch in self.batches(4):
            service.infer("m", batch, sequence_id="s")
        before = self.probabilities(service, self.features[:8])
        service.ask("POST", f"{STREAM}/reset")
        self.assertEqual(service.ask("GET", STREAM)["batches"], 0)
        snapshot = service.ask("GET", f"{STREAM}/snapshots")["snapshots"][0]
        self.assertEqual((snapshot["note"], snapshot["batches"]), ("before reset", 4))
        service.ask("POST", f"{STREAM}/rollback", {"snapshot": snapshot["id"]})
        numpy.testing.assert_array_equal(self.probabilities(service, self.features[:8]), before)

    def test_a_state_goes_out_and_comes_in(self):
        service = self.serve()
        for batch in self.batches(4):
            service.infer("m", batch, sequence_id="s")
        state = service.ask("GET", f"{STREAM}/state")
        with open(self.path("out.state"), "wb") as file:
            file.write(state)
        self.assertIn("stad-safe", run_command("inspect", self.path("out.state")))
        service.ask("PUT", "/admin/models/m/streams/other/state", state)
        numpy.testing.assert_array_equal(
            service.infer("m", self.features[:8], sequence_id="other", adapt=False)[0]["probabilities"],
            self.probabilities(service, self.features[:8]))
        self.refused(400, "", service.ask, "PUT", f"{STREAM}/state", b"nonsense")

    def test_deletes_and_lists_streams(self):
        service = self.serve(config='durability = "batch"')
        for stream in ("a", "b", "c/d e", "ü"):
            service.infer("m", self.features[:4], sequence_id=stream)
        service.infer("m", self.features[:4])
        first = service.ask("GET", "/admin/models/m/streams?limit=3")
        self.assertEqual([line["stream"] for line in first["streams"]], ["", "a", "b"])
        rest = service.ask("GET", "/admin/models/m/streams?limit=3&after=b")
        self.assertEqual([line["stream"] for line in rest["streams"]], ["c/d e", "ü"])
        service.ask("DELETE", "/admin/models/m/streams/c%2Fd%20e")
        self.refused(404, "does not exist", service.ask, "GET", "/admin/models/m/streams/c%2Fd%20e")
        self.refused(400, "limit is 'x'", service.ask, "GET", "/admin/models/m/streams?limit=x")

    def test_models_come_and_go_without_a_restart_and_outlive_one(self):
        service = self.serve()
        with open(self.stream_file, "rb") as file:
            head = base64.b64encode(file.read()).decode()
        service.ask("POST", "/admin/models", {"name": "new", "source_base64": head, "method": "stad-vmf",
                                              "options": {"kappa_trans": 500}, "mode": "shadow"})
        service.ask("POST", "/admin/models", {"name": "more", "source": self.stream_file})
        service.infer("new", self.features[:8])
        self.refused(409, "model new exists already", service.ask, "POST", "/admin/models",
                     {"name": "new", "source": self.stream_file})
        self.refused(400, "kappa_trans", service.ask, "POST", "/admin/models",
                     {"name": "bad", "source": self.stream_file, "method": "stad-vmf", "options": {"kappa_trans": -1}})
        self.refused(400, "must be a file", service.ask, "POST", "/admin/models", {"name": "bad", "source": "/none.npz"})
        service.ask("DELETE", "/admin/models/more")
        service.stop()
        service.start()
        models = {model["name"]: model for model in service.ask("GET", "/admin/models")["models"]}
        self.assertEqual(sorted(models), ["m", "new"])
        self.assertEqual((models["new"]["options"]["kappa_trans"], models["new"]["mode"]), (500, "shadow"))
        self.assertEqual(service.ask("GET", "/admin/models/new/streams/-")["batches"], 1)
        self.refused(404, "model 'more' not found", service.infer, "more", self.features[:8])

    def test_heads_that_are_no_files_are_refused(self):
        service = self.serve("--data", "")
        for path in (self.folder.name, "/dev/zero", self.path("none.npz")):
            self.refused(400, f"source is '{path}', must be a file", service.ask, "POST", "/admin/models",
                         {"name": "n", "source": path})

    def test_says_whether_anything_is_kept(self):
        for folder in (self.path("data"), ""):
            model = self.serve("--data", folder).ask("GET", "/admin/models")["models"][0]
            self.assertEqual((model["durability"], model["on_disk"]), ("interval", folder != ""))

    def test_backs_up_while_it_runs(self):
        service = self.serve(config='durability = "batch"')
        service.infer("m", self.features[:8])
        first, second = (service.ask("POST", "/admin/backup")["path"] for _ in range(2))
        self.assertNotEqual(first, second)
        for path in (first, second):
            with open(path, "rb") as file:
                self.assertEqual(file.read(15), b"SQLite format 3")

    def test_tells_how_a_stream_fares_as_it_happens(self):
        service = self.serve()
        service.infer("m", self.features[:64], sequence_id="s")
        watcher = http.client.HTTPConnection(service.address.hostname, service.address.port, timeout=30)
        watcher.request("GET", "/events?model=m&stream=s")
        events = watcher.getresponse()
        self.assertEqual(events.headers["Content-Type"], "text/event-stream")

        def next_event():
            lines = []
            while not lines or lines[-1]:
                lines.append(events.readline().decode().rstrip("\n"))
            return lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: "))

        kind, hello = next_event()
        self.assertEqual((kind, hello["batches"], len(hello["history"]["points"])), ("hello", 1, 1))
        service.infer("m", self.features[64:128], sequence_id="s")
        service.ask("POST", f"{STREAM}/snapshots")
        seen = dict(next_event() for _ in range(2))
        self.assertEqual(seen["event"]["kind"], "snapshot")
        self.assertEqual(seen["point"]["rows"], 64)
        self.assertAlmostEqual(sum(seen["point"]["proportions"]), 1, places=4)
        watcher.close()

    def test_metrics_speak_of_models_and_never_of_streams(self):
        service = self.serve()
        for batch in self.batches(8, size=64):
            service.infer("m", batch, sequence_id="a-secret-name")

        def text():
            service.infer("m", self.features[:8], sequence_id="a-secret-name")  # a point a second
            return service.send("GET", "/metrics")[2].decode()

        self.eventually(lambda: 'stad_warning_level{model="m"} ' in text())
        shown = text()
        for line in ('stad_adapt_rows_total{model="m"} ', 'stad_streams{model="m",place="memory"} 1',
                     'stad_requests_total{route="infer",status="200"} ', "stad_request_seconds_bucket",
                     "stad_checkpoint_age_seconds", 'stad_chains_answer{model="m"} 0'):
            self.assertIn(line, shown)
        self.assertNotIn("a-secret-name", shown)

    def test_a_head_without_a_card_has_no_warning_level(self):
        head = numpy.load(self.stream_file)
        numpy.savez(self.path("bare.npz"), **{name: head[name] for name in ("weight", "bias", "mean")})
        service = self.serve()
        service.ask("POST", "/admin/models", {"name": "bare", "source": self.path("bare.npz")})
        service.ask("POST", "/admin/models", {"name": "vmf", "source": self.stream_file, "method": "stad-vmf"})
        for batch in self.batches(10, size=64):
            for model in ("m", "bare", "vmf"):
                service.infer(model, batch, sequence_id="s")
        told = {name: service.ask("GET", f"/admin/models/{name}/streams/s") for name in ("m", "bare", "vmf")}
        self.assertIn(told["m"]["health"]["warning"], ("fine", "watch", "act"))
        for name in ("bare", "vmf"):
            self.assertIsNone(told[name]["health"]["warning"])
            self.assertIsNone(told[name]["history"]["points"][-1]["warning"])
        self.assertEqual(told["bare"]["health"]["guard"]["answers"], "source")
        self.assertEqual(told["bare"]["history"]["points"][-1]["chains"], 0)
        self.assertIsNone(told["vmf"]["health"]["guard"])
        self.assertIsNone(told["vmf"]["history"]["points"][-1]["chains"])
        metrics = service.send("GET", "/metrics")[2].decode()
        for name in ("bare", "vmf"):
            self.assertNotIn(f'stad_warning_level{{model="{name}"}}', metrics)

    def test_label_chains_answer_where_labels_persist(self):
        order = numpy.argsort(self.labels[:1024], kind="stable")
        service = self.serve()
        for first in range(0, 1024, 64):
            service.infer("m", self.features[order[first:first + 64]], sequence_id="s")
        guard = service.ask("GET", STREAM)["health"]["guard"]
        self.assertEqual((guard["answers"], guard["held_by"]), ("chains", "none"))
        self.assertGreater(guard["zeta"], 4)


if __name__ == "__main__":
    unittest.main()
