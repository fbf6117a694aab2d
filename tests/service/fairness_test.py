"""Memory and turns are bounded for every caller, with a token and without one."""

import socket
import subprocess
import threading
import unittest

from service import SERVER, ServiceTest

MEGABYTE = 1_000_000


class Fairness(ServiceTest):
    def make_tokens(self, *lines):
        """The tokens by name; each line is (name, roles)."""
        tokens = {}
        with open(self.path("tokens.txt"), "w") as file:
            for name, roles in lines:
                made = subprocess.run([SERVER, "token", "--roles", roles, "--name", name], capture_output=True, text=True,
                                      check=True)
                tokens[name] = made.stderr.split("shown once: ")[1].split()[0]
                file.write(made.stdout)
        return tokens

    def resident(self, service):
        with open(f"/proc/{service.process.pid}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))

    def open_socket(self, service):
        raw = socket.create_connection((service.address.hostname, service.address.port), timeout=5)
        self.addCleanup(raw.close)
        return raw

    def flood(self, service, head, part, count, answers):
        """Sends until the service closes; keeps the first line of the answer."""
        raw = self.open_socket(service)
        try:
            raw.sendall(head)
            for _ in range(count):
                raw.sendall(part)
        except OSError:
            pass
        try:
            answers.append(raw.recv(100).split(b"\r\n")[0])
        except OSError:
            answers.append(b"reset")

    def flood_from_three(self, service, head, part, count):
        answers = []
        threads = [threading.Thread(target=self.flood, args=(service, head, part, count, answers)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def test_chunk_framing_takes_no_memory_before_and_after_authentication(self):
        token = self.make_tokens(("team", "infer"))["team"]
        service = self.serve("--max-body", "1 MB", config=f'tokens = "{self.path("tokens.txt")}"')
        before = self.resident(service)
        chunked = "Host: localhost\r\nTransfer-Encoding: chunked\r\n"
        anyone = f"POST /livez HTTP/1.1\r\n{chunked}\r\n".encode()
        member = f"POST /v2/models/m/infer HTTP/1.1\r\n{chunked}Authorization: Bearer {token}\r\n\r\n".encode()
        for name, head in (("before", anyone), ("after", member)):
            for kind, start, part, count in (("one extension", b"1;", b"x" * MEGABYTE, 40),
                                             ("many extensions", b"", b"1;" + b"y" * 9_000 + b"\r\nz\r\n", 4_000),
                                             ("trailers", b"0\r\n", b"X-Trailer: " + b"t" * 8_000 + b"\r\n", 4_000)):
                with self.subTest(authentication=name, kind=kind):
                    answers = self.flood_from_three(service, head + start, part, count)
                    self.assertTrue(all(b" 413 " in line or line == b"reset" for line in answers), answers)
                    self.assertLess(self.resident(service) - before, 20 * MEGABYTE)

    def test_chunks_of_ordinary_size_are_accepted(self):
        service = self.serve("--data", "", "--max-body", "100 KB")
        raw = self.open_socket(service)
        body = b'{"inputs": [{"name": "features", "shape": [1, 32], "datatype": "FP32", "data": [' + b"0.5," * 31 + b"1]}]}"
        raw.sendall(b"POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for first in range(0, len(body), 16):
            part = body[first:first + 16]
            raw.sendall(b"%x;note=1\r\n%s\r\n" % (len(part), part))
        raw.sendall(b"0\r\nX-Trailer: done\r\n\r\n")
        self.assertTrue(raw.recv(100).startswith(b"HTTP/1.1 200"))

    def stall(self, service, token, announced, sent):
        """A request whose body stops before its end."""
        raw = self.open_socket(service)
        raw.sendall(f"POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
                    f"Content-Length: {announced}\r\n\r\n".encode() + b" " * sent)
        return raw

    def test_stalled_bodies_of_one_token_do_not_lock_out_the_others(self):
        tokens = self.make_tokens(("greedy", "infer"), ("modest", "infer"))
        service = self.serve("--max-body", "1 MB", config=f'tokens = "{self.path("tokens.txt")}"')
        for sent in (10, 900_000):
            with self.subTest(sent=sent):
                stalled = [self.stall(service, tokens["greedy"], 1_000_000, sent) for _ in range(40)]
                for _ in range(20):
                    service.token = tokens["modest"]
                    self.assertEqual(service.infer("m", self.features)[0]["label"].shape, (1024,))
                for raw in stalled:
                    raw.close()

    def test_the_bytes_of_one_token_are_bounded(self):
        token = self.make_tokens(("greedy", "infer"))["greedy"]
        service = self.serve("--max-body", "4 MB", config=f'tokens = "{self.path("tokens.txt")}"')
        before = self.resident(service)
        stalled = [self.stall(service, token, 4_000_000, 3_900_000) for _ in range(30)]
        refused = 0
        for raw in stalled:
            raw.settimeout(0.2)
            try:
                refused += raw.recv(100).startswith(b"HTTP/1.1 429")
            except TimeoutError:
                pass
        self.assertGreaterEqual(refused, 30 - 8)  # half of sixteen bodies fit
        self.assertLess(self.resident(service) - before, 100 * MEGABYTE)


if __name__ == "__main__":
    unittest.main()
