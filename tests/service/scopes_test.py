"""A token acts on the models and streams it was made for, and what it deletes is recorded."""

import json
import subprocess
import unittest

from service import SERVER, ServiceTest

STREAMS = "/admin/models/m/streams/"


class Scopes(ServiceTest):
    def serve_with(self, *arguments, **roles):
        """Serves models m and n; the tokens by their names."""
        self.tokens = {}
        with open(self.path("tokens.txt"), "w") as file:
            for name, grants in {**roles, "root": "admin"}.items():
                made = subprocess.run([SERVER, "token", "--roles", grants, "--name", name], capture_output=True, text=True)
                self.assertEqual(made.returncode, 0, made.stderr)
                self.tokens[name] = made.stderr.split("shown once: ")[1].split()[0]
                file.write(made.stdout)
        service = self.serve(*arguments, config=f'tokens = "{self.path("tokens.txt")}"\ndurability = "batch"',
                             model=f'[[model]]\nname = "n"\nsource = "{self.stream_file}"\n')
        return service

    def status(self, service, token, method, path, body=None):
        service.token = self.tokens[token]
        status = service.send(method, path, body and json.dumps(body))[0]
        service.connection.close()
        return status

    def test_infer_alone_does_not_end_a_stream(self):
        service = self.serve_with(writer="infer", owner="infer,end")
        service.token = self.tokens["writer"]
        service.infer("m", self.features[:8], sequence_id="s")
        service.token = self.tokens["root"]
        service.ask("POST", f"{STREAMS}s/snapshots")
        service.token = self.tokens["writer"]
        self.refused(403, "requires the role end", service.infer, "m", self.features[:8], sequence_id="s", sequence_end=True)
        self.refused(403, "requires the role end", service.infer, "m", self.features[:8], sequence_id="s", sequence_start=True)
        # A stream that has not adapted may be started: nothing is lost.
        service.infer("m", self.features[:8], sequence_id="new", sequence_start=True)
        service.token = self.tokens["root"]
        self.assertEqual(service.ask("GET", f"{STREAMS}s")["batches"], 1)
        self.assertEqual(len(service.ask("GET", f"{STREAMS}s/snapshots")["snapshots"]), 1)
        service.token = self.tokens["owner"]
        service.infer("m", self.features[:8], sequence_id="s", sequence_start=True)
        service.infer("m", self.features[:8], sequence_id="s", sequence_end=True)
        service.token = self.tokens["root"]
        self.refused(404, "does not exist", service.ask, "GET", f"{STREAMS}s")

    def test_what_is_destroyed_is_in_the_events_and_in_the_audit_log(self):
        service = self.serve_with(owner="infer,end")
        service.token = self.tokens["owner"]
        service.infer("m", self.features[:8], sequence_id="s")
        service.infer("m", self.features[:8], sequence_id="s", sequence_start=True)
        service.infer("m", self.features[:8], sequence_id="s", sequence_end=True)
        service.token = self.tokens["root"]
        service.infer("m", self.features[:8], sequence_id="t")
        service.ask("POST", f"{STREAMS}t/reset")
        service.ask("DELETE", f"{STREAMS}t")
        service.ask("DELETE", "/admin/models/n")
        expected = [("reset", "s", "owner"), ("delete", "s", "owner"), ("reset", "t", "root"), ("delete", "t", "root"),
                    ("model", "", "root")]

        def recorded():
            events = service.ask("GET", "/admin/events")["events"]
            return [(event["kind"], event["stream"], event["caller"]) for event in reversed(events)]

        self.eventually(lambda: recorded() == expected)
        service.stop()
        audited = [(line["kind"], line["stream"], line["caller"]) for line in service.log if line["level"] == "audit"]
        self.assertEqual(audited, expected)

    def test_a_role_holds_for_its_model(self):
        service = self.serve_with(camera="infer:m,read:m", other="admin:n", joker="read:*")
        prediction = {"inputs": [{"name": "features", "shape": [1, 32], "datatype": "FP32", "data": [1] * 32}]}
        cases = [("camera", "POST", "/v2/models/m/infer", prediction, 200), ("camera", "POST", "/v2/models/n/infer", prediction, 403),
                 ("camera", "GET", "/v2/models/m", None, 200), ("camera", "GET", "/v2/models/n", None, 403),
                 ("camera", "GET", "/admin/models/m/streams", None, 200), ("camera", "GET", "/admin/models/n/streams", None, 403),
                 ("camera", "GET", "/metrics", None, 403), ("joker", "GET", "/metrics", None, 200),
                 ("camera", "GET", "/admin/events", None, 403), ("camera", "GET", "/admin/events?model=m", None, 200),
                 ("camera", "GET", "/admin/events?model=n", None, 403), ("camera", "GET", "/events?model=n", None, 403),
                 ("camera", "GET", "/v2", None, 200), ("camera", "GET", "/openapi.json", None, 200),
                 ("camera", "PUT", "/admin/models/m/mode", {"mode": "frozen"}, 403),
                 ("other", "PUT", "/admin/models/n/mode", {"mode": "frozen"}, 200),
                 ("other", "PUT", "/admin/models/m/mode", {"mode": "frozen"}, 403), ("other", "POST", "/admin/backup", None, 403),
                 ("other", "POST", "/admin/models", {"name": "x", "source": self.stream_file}, 403)]
        for token, method, path, body, expected in cases:
            with self.subTest(token=token, method=method, path=path):
                self.assertEqual(self.status(service, token, method, path, body), expected)
        for token, names in (("camera", ["m"]), ("other", ["n"]), ("root", ["m", "n"])):
            service.token = self.tokens[token]
            self.assertEqual([model["name"] for model in service.ask("GET", "/admin/models")["models"]], names)

    def test_a_role_holds_for_streams_of_its_prefix(self):
        service = self.serve_with(team="infer:m/a-,read:m/a-,end:m/a-", labels="infer:m/b-")
        service.token = self.tokens["root"]
        for stream in ("a-1", "b-1"):
            service.infer("m", self.features[:8], sequence_id=stream)
        service.token = self.tokens["team"]
        self.assertEqual(service.infer("m", self.features[:8], sequence_id="a-1")[1]["batch"], 2)
        for stream in ("b-1", "", "xa-1"):
            self.refused(403, "lacks the role infer", service.infer, "m", self.features[:8], sequence_id=stream)
        self.refused(403, "lacks the role infer", service.infer, "m", self.features[:8], sequence_id="b-1", sequence_end=True)
        self.refused(403, "lacks the role infer", service.ask, "POST", "/v2/models/m/labels",
                     {"sequence_id": "b-1", "ids": [], "labels": []})
        self.assertEqual(service.ask("GET", f"{STREAMS}a-1")["batches"], 2)
        for path in (f"{STREAMS}b-1", f"{STREAMS}-", "/admin/models/m/streams", "/events?model=m&stream=b-1"):
            with self.subTest(path=path):
                self.assertEqual(self.status(service, "team", "GET", path), 403)
        service.token = self.tokens["team"]
        service.infer("m", self.features[:8], sequence_id="a-1", sequence_end=True)
        service.token = self.tokens["root"]
        self.assertEqual(service.ask("GET", f"{STREAMS}b-1")["batches"], 1)

    def test_a_grant_that_breaks_a_rule_is_named(self):
        for grants, words in (("write", "role is 'write', must be read, infer, end or admin"), ("infer:", "must name a model"),
                              ("infer:/a", "must name a model"), ("read :m", "without spaces")):
            with self.subTest(grants=grants):
                made = subprocess.run([SERVER, "token", "--roles", grants, "--name", "x"], capture_output=True, text=True)
                self.assertEqual(made.returncode, 2)
                self.assertIn(words, made.stderr)


if __name__ == "__main__":
    unittest.main()
