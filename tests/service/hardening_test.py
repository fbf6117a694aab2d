"""What the service grants to other processes of the machine, to weak clients and to the log."""

import os
import resource
import socket
import ssl
import stat
import subprocess
import time
import unittest

from service import SERVER, ServiceTest


class Hardening(ServiceTest):
    def certificate(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.path("key.pem"), "-out",
                        self.path("certificate.pem")], capture_output=True, check=True)
        return "--certificate", self.path("certificate.pem"), "--key", self.path("key.pem")

    def rejected(self, *arguments):
        done = subprocess.run([SERVER, "--listen", "127.0.0.1:0", *arguments], capture_output=True, text=True, timeout=30)
        return done.returncode, done.stderr

    def test_a_key_is_bound_to_the_outputs_and_their_form(self):
        service = self.serve()
        key = {"Idempotency-Key": "k"}
        first = service.infer("m", self.features[:8], headers=key, outputs=("label",))[0]
        again = service.infer("m", self.features[:8], headers=key, outputs=("label",))[0]
        self.assertEqual(list(first["label"]), list(again["label"]))
        for changes in ({"outputs": ("label", "probabilities")}, {"outputs": ("label",), "binary": False}):
            with self.subTest(changes=changes):
                self.refused(422, "was used for another request", service.infer, "m", self.features[:8], headers=key, **changes)

    def test_tls_offers_no_cipher_without_forward_secrecy(self):
        service = self.serve(*self.certificate())
        for cipher, is_offered in (("AES128-SHA", False), ("AES256-GCM-SHA384", False), ("ECDHE-RSA-AES128-SHA", False),
                                   ("ECDHE-RSA-AES128-GCM-SHA256", True)):
            with self.subTest(cipher=cipher):
                context = ssl.create_default_context(cafile=self.path("certificate.pem"))
                context.maximum_version = ssl.TLSVersion.TLSv1_2
                context.set_ciphers(cipher + ":@SECLEVEL=0")
                raw = socket.create_connection((service.address.hostname, service.address.port), timeout=10)
                try:
                    with context.wrap_socket(raw, server_hostname="127.0.0.1"):
                        shaken = True
                except (ssl.SSLError, ConnectionError):
                    shaken = False
                finally:
                    raw.close()
                self.assertEqual(shaken, is_offered)

    def test_a_missing_certificate_is_named(self):
        self.certificate()
        none = self.path("none.pem")
        for arguments, words in ((("--certificate", none, "--key", self.path("key.pem")), f"certificate is '{none}', which cannot be read: No such file"),
                                 (("--certificate", self.path("certificate.pem"), "--key", none), f"key is '{none}', which cannot be read: No such file"),
                                 (("--certificate", none), f"certificate is '{none}', which requires key"),
                                 (("--key", none), f"key is '{none}', which requires certificate"),
                                 (("--certificate", SERVER, "--key", self.path("key.pem")), "must be a PEM file")):
            with self.subTest(arguments=arguments):
                code, error = self.rejected(*arguments)
                self.assertEqual((code, words in error), (2, True), error)

    def test_unknown_tokens_are_logged_at_a_bounded_rate(self):
        made = subprocess.run([SERVER, "token", "--roles", "read", "--name", "reader"], capture_output=True, text=True, check=True)
        with open(self.path("tokens.txt"), "w") as file:
            file.write(made.stdout)
        service = self.serve(config=f'tokens = "{self.path("tokens.txt")}"', token="stad_guess")
        begun = time.monotonic()
        for _ in range(100):
            self.assertEqual(service.send("GET", "/metrics")[0], 401)
            service.connection.close()
        seconds = time.monotonic() - begun
        service.stop()
        lines = [line for line in service.log if line.get("status") == "401"]
        self.assertGreaterEqual(len(lines), 1)
        self.assertLessEqual(len(lines), seconds + 1)
        self.assertEqual((lines[0]["level"], lines[0]["address"], lines[0]["path"]), ("warning", "127.0.0.1", "/metrics"))

    def test_a_full_disk_does_not_fill_the_log(self):
        service = self.serve(config="interval = 0.01")
        for stream in range(50):
            service.infer("m", self.features[:8], sequence_id=f"s{stream}")
        unlimited = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (4096, unlimited[1]))
        begun = time.monotonic()
        for number in range(100):
            service.infer("m", self.features[:8], sequence_id=f"s{number % 50}")
            time.sleep(0.01)
        seconds = time.monotonic() - begun
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, unlimited)
        service.stop()
        lines = [line for line in service.log if "could not be saved" in line["message"]]
        self.assertGreaterEqual(len(lines), 1)
        self.assertLessEqual(len(lines), seconds + 3)

    def test_the_lock_file_is_not_a_link(self):
        os.mkdir(self.path("data"), 0o700)
        with open(self.path("victim"), "w") as file:
            file.write("unchanged")
        os.symlink(self.path("victim"), os.path.join(self.path("data"), "stad.sqlite.lock"))
        code, error = self.rejected("--data", self.path("data"))
        self.assertEqual((code, "stad.sqlite.lock" in error), (1, True), error)
        with open(self.path("victim")) as file:
            self.assertEqual(file.read(), "unchanged")

    def test_the_data_folder_is_its_owners_alone(self):
        previous = os.umask(0o022)
        self.addCleanup(os.umask, previous)
        mode = lambda: stat.S_IMODE(os.stat(self.path("data")).st_mode)
        self.serve().stop()
        self.assertEqual(mode(), 0o700)
        os.chmod(self.path("data"), 0o755)
        service = self.serve()
        self.assertEqual(mode(), 0o700)
        service.stop()
        self.assertIn("the data folder was accessible to others; its mode is 0700 now", [line["message"] for line in service.log])
        os.chmod(self.path("data"), 0o2700)  # as made on a volume of Kubernetes with an fsGroup
        service = self.serve()
        service.stop()
        self.assertFalse([line for line in service.log if "data folder" in line["message"]])
        os.mkdir(self.path("shared"))
        os.chmod(self.path("shared"), 0o1777)
        code, error = self.rejected("--data", self.path("shared"))
        self.assertEqual((code, "a folder of all users" in error), (2, True), error)

    def test_health_is_answered_beyond_the_limit_of_connections(self):
        service = self.serve("--data", "", config="max_connections = 4")
        address = (service.address.hostname, service.address.port)
        held = [socket.create_connection(address, timeout=10) for _ in range(4)]
        for raw in held:
            raw.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"200", raw.recv(1000)[:20])
        for path, expected in (("/livez", b"200"), ("/readyz", b"200"), ("/v2/health/ready", b"200"), ("/metrics", b"503")):
            with self.subTest(path=path), socket.create_connection(address, timeout=10) as raw:
                raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                answer = raw.recv(1000)
                self.assertIn(expected, answer[:20])
                self.assertIn(b"Connection: close", answer)
        for raw in held:
            raw.close()


if __name__ == "__main__":
    unittest.main()
