"""Who may come in, and how much they may ask."""

import json
import socket
import ssl
import subprocess
import unittest

from service import SERVER, Service, ServiceTest


class Access(ServiceTest):
    def make_tokens(self, *roles):
        tokens = {}
        with open(self.path("tokens.txt"), "w") as file:
            file.write("# made by a test\n")
            for role in roles:
                made = subprocess.run([SERVER, "token", "--roles", role, "--name", role.replace(",", "-")],
                                      capture_output=True, text=True, check=True)
                tokens[role] = made.stderr.split("shown once: ")[1].split()[0]
                self.assertNotIn(tokens[role], made.stdout)
                file.write(made.stdout)
        return tokens

    def test_a_token_allows_what_its_roles_say(self):
        tokens = self.make_tokens("read", "infer", "admin")
        service = self.serve(config=f'tokens = "{self.path("tokens.txt")}"', method="stad-vmf")
        wanted = {"read": ("GET", "/admin/models", None), "infer": ("POST", "/v2/models/m/labels", {"ids": [], "labels": []}),
                  "admin": ("PUT", "/admin/models/m/mode", {"mode": "active"})}
        service.token = tokens["infer"]
        service.infer("m", self.features[:4])
        for role, token in [*tokens.items(), ("none", None), ("wrong", "stad_" + "0" * 48)]:
            for needed, (method, path, body) in wanted.items():
                with self.subTest(role=role, needed=needed):
                    headers = {"Authorization": f"Bearer {token}"} if token else {}
                    service.token = None
                    status = service.send(method, path, body and json.dumps(body), headers)[0]
                    service.connection.close()
                    allowed = role == "admin" or role == needed
                    self.assertEqual(status, 200 if allowed else 401 if role in ("none", "wrong") else 403)
        service.token = None
        for path in ("/livez", "/readyz", "/v2/health/ready", "/"):
            self.assertEqual(service.send("GET", path)[0], 200)

    def test_a_path_is_judged_by_where_it_leads_however_it_is_written(self):
        tokens = self.make_tokens("read", "infer")
        service = self.serve(config=f'tokens = "{self.path("tokens.txt")}"', token=tokens["infer"])
        service.infer("m", self.features[:4], sequence_id="s")
        service.token = tokens["read"]
        for method, path in (("DELETE", "//admin/models/m"), ("DELETE", "/%61dmin/models/m"), ("DELETE", "/admin//models/m/"),
                             ("POST", "//v2/models/m/infer"), ("POST", "/v%32/models/m/infer"), ("POST", "/./../v2//models/m/infer"),
                             ("GET", "/admin/models/m/streams/s/state/"), ("GET", "/admin/models/m/streams/s/stat%65"),
                             ("GET", "//admin/models/m/streams/s/state"), ("HEAD", "/admin/models/m/streams/s/state")):
            with self.subTest(method=method, path=path):
                self.assertIn(service.send(method, path)[0], (403, 404, 405))
                service.connection.close()
        self.assertEqual(service.ask("GET", "/admin/models/m/streams/s")["batches"], 1)
        service.token = None
        for path in ("//admin/models", "/%61dmin/models", "/livez/../metrics", "/assets/../metrics"):
            with self.subTest(path=path):
                self.assertIn(service.send("GET", path)[0], (401, 404))
                service.connection.close()

    def test_clients_cannot_fill_the_memory_before_they_are_authorized(self):
        self.make_tokens("read")
        service = self.serve(config=f'tokens = "{self.path("tokens.txt")}"')
        for method, path, status in (("POST", "/livez", 413), ("GET", "/", 413), ("POST", "/v2/models/m/infer", 401)):
            with self.subTest(path=path):
                raw = socket.create_connection((service.address.hostname, service.address.port), timeout=30)
                raw.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n".encode())
                raw.sendall(b"x" * 1_000_000)
                self.assertTrue(raw.recv(100).startswith(f"HTTP/1.1 {status}".encode()))
                raw.close()

    def test_a_file_without_tokens_is_refused(self):
        with open(self.path("tokens.txt"), "w") as file:
            file.write("# admin 00 someone\n")
        refused = subprocess.run([SERVER, "--tokens", self.path("tokens.txt"), "--listen", "127.0.0.1:0"],
                                 capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("tokens.txt has no token", refused.stderr)

    def test_listens_beyond_this_machine_only_with_tokens(self):
        refused = subprocess.run([SERVER, "--listen", "0.0.0.0:0"], capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("tokens are required", refused.stderr)

    def test_a_page_of_another_origin_is_refused(self):
        service = self.serve("--data", "", config='origins = ["https://friend.example"]')
        for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "evil.example:80"}):
            with self.subTest(headers=headers):
                status, answered, _ = service.send("GET", "/admin/models", headers=headers)
                service.connection.close()
                self.assertEqual(status, 403)
                self.assertNotIn("Access-Control-Allow-Origin", answered)
        status, answered, _ = service.send("GET", "/admin/models", headers={"Origin": "https://friend.example"})
        self.assertEqual((status, answered["Access-Control-Allow-Origin"]), (200, "https://friend.example"))
        status, answered, _ = service.send("OPTIONS", "/admin/models", headers={"Origin": "https://friend.example"})
        self.assertEqual(status, 204)
        self.assertIn("POST", answered["Access-Control-Allow-Methods"])

    def test_limits_streams_of_a_token(self):
        token = self.make_tokens("infer")["infer"]
        service = self.serve("--max-streams", "3", config=f'tokens = "{self.path("tokens.txt")}"', token=token)
        for stream in "abc":
            service.infer("m", self.features[:2], sequence_id=stream)
        self.refused(429, "has reached its limit of 3 streams", service.infer, "m", self.features[:2], sequence_id="d")
        service.infer("m", self.features[:2], sequence_id="a")

    def test_speaks_tls(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.path("key.pem"), "-out",
                        self.path("certificate.pem")], capture_output=True, check=True)
        service = self.serve("--certificate", self.path("certificate.pem"), "--key", self.path("key.pem"))
        context = ssl.create_default_context(cafile=self.path("certificate.pem"))
        import http.client
        service.connection = http.client.HTTPSConnection(service.address.hostname, service.address.port, timeout=60,
                                                         context=context)
        self.assertEqual(service.infer("m", self.features[:4])[1]["batch"], 1)
        plain = socket.create_connection((service.address.hostname, service.address.port), timeout=60)
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertFalse(plain.recv(100).startswith(b"HTTP/1.1 200"))
        plain.close()

    def test_slow_and_greedy_clients_are_sent_away(self):
        service = self.serve("--data", "", "--max-body", "10 KB", config="request_timeout = 1\nidle_timeout = 2")
        self.assertEqual(service.send("POST", "/v2/models/m/infer", b"x" * 20_000)[0], 413)
        service.connection.close()
        self.assertEqual(service.send("GET", "/livez", headers={"X-Long": "y" * 30_000})[0], 431)
        service.connection.close()
        for sent in (b"", b"POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{", b"GET /li"):
            with self.subTest(sent=sent):
                slow = socket.create_connection((service.address.hostname, service.address.port), timeout=30)
                slow.sendall(sent)
                self.assertEqual(slow.recv(100), b"")  # closed, not answered
                slow.close()

    def test_settings_that_break_a_rule_are_named(self):
        for written, words in ((["--durability", "often"], "durability is 'often', must be batch, interval or none"),
                               (["--listen", "here"], "listen is 'here', must be ADDRESS:PORT"),
                               (["--memory", "much"], "memory is 'much', must be a size"),
                               (["--config", "/none.toml"], "/none.toml"),
                               (["--tokens", "/none.txt"], "/none.txt: cannot be read")):
            with self.subTest(written=written):
                refused = subprocess.run([SERVER, *written], capture_output=True, text=True, timeout=60)
                self.assertEqual(refused.returncode, 2)
                self.assertIn(words, refused.stderr)
        with open(self.path("bad.toml"), "w") as file:
            file.write('listen = "127.0.0.1:0"\ncolour = "red"\n')
        refused = subprocess.run([SERVER, "--config", self.path("bad.toml")], capture_output=True, text=True, timeout=60)
        self.assertIn("bad.toml:2: unknown setting 'colour'", refused.stderr)
        for line, words in (('mode = "odd"', "bad.toml:4: mode is 'odd', must be active"),
                            ("max_delay = -5", "bad.toml:4: max_delay is -5, must be a number from 0"),
                            ("max_delay = 1e300", "bad.toml:4: max_delay is 1e+300, must be a number from 0"),
                            ('method = "odd"', "bad.toml:2: model m: unknown method odd"),
                            ("options = {colour = 1}", "bad.toml:2: model m: stad-safe: unknown option colour"),
                            ('source = "none.npz"', "bad.toml:2: none.npz: No such file")):
            with self.subTest(line=line), open(self.path("bad.toml"), "w") as file:
                file.write(f'data = ""\n[[model]]\nname = "m"\n{line}\n')
                file.flush()
                refused = subprocess.run([SERVER, "--config", file.name], capture_output=True, text=True, timeout=60)
                self.assertEqual(refused.returncode, 2)
                self.assertIn(words, refused.stderr)

    def test_flags_win_over_the_environment_and_that_over_the_file(self):
        service = self.serve(config='durability = "none"')
        self.assertEqual(service.log[-1]["durability"], "none")
        service.stop()
        service = self.serve(config='durability = "none"', environment={"STAD_DURABILITY": "batch"})
        self.assertEqual(service.log[-1]["durability"], "batch")
        service.stop()
        service = self.serve("--durability", "interval", environment={"STAD_DURABILITY": "batch"})
        self.assertEqual(service.log[-1]["durability"], "interval")

    def test_serves_a_demo_without_any_file(self):
        service = Service()
        self.services.append(service)
        model = service.ask("GET", "/admin/models")["models"][0]
        self.assertEqual(model["name"], "demo")
        self.assertEqual(service.send("GET", "/")[0], 200)


if __name__ == "__main__":
    unittest.main()
