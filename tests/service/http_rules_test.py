"""Requests whose end or addressee is ambiguous are rejected, and the connection is closed (RFC 9112)."""

import re
import socket
import subprocess
import unittest

from service import SERVER, ServiceTest

PREDICTION = '{"inputs": [{"name": "features", "shape": [1, 32], "datatype": "FP32", "data": [%s]}]}' % ",".join(["1"] * 32)


class HttpRules(ServiceTest):
    def talk(self, service, text):
        """All that is answered until the service closes, or is silent for a second."""
        with socket.create_connection((service.address.hostname, service.address.port), timeout=1) as raw:
            raw.sendall(text.encode())
            answer = b""
            try:
                while part := raw.recv(65536):
                    answer += part
                return answer.decode(), True
            except TimeoutError:
                return answer.decode(), False

    def statuses(self, text):
        return [int(status) for status in re.findall(r"HTTP/1\.1 (\d+)", text)]

    def test_an_unknown_transfer_encoding_ends_the_connection(self):
        service = self.serve("--data", "")
        hidden = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for coding, expected in (("xchunked", 400), ("chunked, identity", 400), ("identity", 400), ("gzip", 400),
                                 ("chunked\r\nTransfer-Encoding: chunked", 400), ("gzip, chunked", 501)):
            with self.subTest(coding=coding):
                answer, is_closed = self.talk(service, "POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\n"
                                                       f"Transfer-Encoding: {coding}\r\n\r\n{hidden}")
                self.assertEqual((self.statuses(answer), is_closed), ([expected], True))
                self.assertIn("Transfer-Encoding", answer)
                self.assertIn("Connection: close", answer)
        answer, is_closed = self.talk(service, "POST /v2/models/m/infer HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        self.assertIn("400", answer.split("\r\n")[0])
        self.assertTrue(is_closed)

    def test_a_length_beside_chunks_ends_the_connection(self):
        service = self.serve("--data", "")
        for fields in ("Content-Length: 4\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 4",
                       "Content-Length: 4\r\nContent-Length: 5"):
            with self.subTest(fields=fields):
                answer, is_closed = self.talk(service, f"POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n\r\n0\r\n\r\n")
                self.assertEqual((self.statuses(answer), is_closed), ([400], True))

    def test_host_is_given_once(self):
        service = self.serve("--data", "")
        for hosts in ("Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n", ""):
            with self.subTest(hosts=hosts):
                answer, is_closed = self.talk(service, f"GET /livez HTTP/1.1\r\n{hosts}\r\n")
                self.assertEqual((self.statuses(answer), is_closed), ([400], True))
                self.assertIn("Host is", answer)

    def test_an_absolute_target_is_read_as_its_path_and_host(self):
        service = self.serve("--data", "")
        length = len(PREDICTION)
        for line, host, expected in (("GET http://localhost/livez", "ignored.example", 200),
                                     ("GET HTTP://localhost:80/v2?x=1", "localhost", 200),
                                     ("GET http://localhost", "localhost", 200),
                                     ("GET http://localhost?x=1", "localhost", 200),
                                     ("GET http://evil.example/livez", "localhost", 403),
                                     ("GET http://localhost/nothing", "localhost", 404)):
            with self.subTest(line=line):
                answer, _ = self.talk(service, f"{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
                self.assertEqual(self.statuses(answer), [expected])
        answer, _ = self.talk(service, f"POST http://localhost/v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\n"
                                       f"Content-Length: {length}\r\nConnection: close\r\n\r\n{PREDICTION}")
        self.assertEqual(self.statuses(answer), [200])

    def test_a_method_that_is_not_allowed_names_those_that_are(self):
        service = self.serve("--data", "")
        for method, path, allowed in (("GET", "/v2/models/m/infer", "POST"), ("PUT", "/v2/models/m/versions/1/labels", "POST"),
                                      ("POST", "/livez", "GET, HEAD"), ("DELETE", "/v2", "GET, HEAD"),
                                      ("PUT", "/metrics", "GET, HEAD")):
            with self.subTest(method=method, path=path):
                status, headers, _ = service.send(method, path)
                self.assertEqual((status, headers["Allow"]), (405, allowed))

    def test_the_scheme_of_a_token_is_read_in_any_case(self):
        made = subprocess.run([SERVER, "token", "--roles", "read", "--name", "reader"], capture_output=True, text=True, check=True)
        token = made.stderr.split("shown once: ")[1].split()[0]
        with open(self.path("tokens.txt"), "w") as file:
            file.write(made.stdout)
        service = self.serve(config=f'tokens = "{self.path("tokens.txt")}"')
        for scheme in ("Bearer", "bearer", "BEARER"):
            self.assertEqual(service.send("GET", "/metrics", headers={"Authorization": f"{scheme} {token}"})[0], 200)
        self.assertEqual(service.send("GET", "/metrics", headers={"Authorization": f"Basic {token}"})[0], 401)


if __name__ == "__main__":
    unittest.main()
