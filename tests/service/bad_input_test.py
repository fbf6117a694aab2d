"""What a client sends wrongly is named, never costs a 5xx, and leaves the stream as it was."""

import json
import socket
import unittest

import numpy

from service import Refused, ServiceTest


def request(**changes):
    tensor = {"name": "features", "shape": [1, 32], "datatype": "FP32", "data": [0.5] * 32, **changes}
    return {"inputs": [{key: value for key, value in tensor.items() if value is not None}]}


class BadInput(ServiceTest):
    def test_is_refused_with_a_reason_and_changes_nothing(self):
        service = self.serve()
        for batch in self.batches(4):
            service.infer("m", batch)
        before = service.ask("GET", "/admin/models/m/streams/-/state")
        cases = [
            ("not json", b"{", {}),
            ("an array", b"[]", {}),
            ("no inputs", b"{}", {}),
            ("empty", b"", {}),
            ("not UTF-8", b'{"id": "\xff", "inputs": []}', {}),
            ("wrong dimension", request(shape=[1, 31], data=[0.5] * 31), {}),
            ("wrong count", request(data=[0.5] * 31), {}),
            ("no rows", request(shape=[0, 32], data=[]), {}),
            ("negative shape", request(shape=[-1, 32]), {}),
            ("huge shape", request(shape=[10**18, 32]), {}),
            ("three axes", request(shape=[1, 4, 8]), {}),
            ("unknown type", request(datatype="FP8"), {}),
            ("text", request(data=["x"] * 32), {}),
            ("too large for float32", request(data=[1e300] * 32), {}),
            ("wrong name", request(name="pixels"), {}),
            ("no data", request(data=None), {}),
            ("time as text", {**request(), "parameters": {"time": "noon"}}, {}),
            ("sequence_id as object", {**request(), "parameters": {"sequence_id": {}}}, {}),
            ("unknown output", {**request(), "outputs": [{"name": "colour"}]}, {}),
            ("header longer than the body", request(), {"Inference-Header-Content-Length": "99999"}),
            ("header length as text", request(), {"Inference-Header-Content-Length": "many"}),
            ("bytes that are not there", {"inputs": [{"name": "features", "shape": [1, 32], "datatype": "FP32",
                                                      "parameters": {"binary_data_size": 128}}]}, {}),
        ]
        for name, body, headers in cases:
            with self.subTest(case=name):
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                if headers.get("Inference-Header-Content-Length") == "99999":
                    data += bytes(128)
                with self.assertRaises(Refused) as raised:
                    service.ask("POST", "/v2/models/m/infer", data, headers)
                self.assertIn(raised.exception.status, (400, 413))
                self.assertGreater(len(raised.exception.error), 10)
        rows = self.features[:4].copy()
        rows[2, 5] = numpy.nan
        self.refused(400, "row 2", service.infer, "m", rows)
        self.refused(400, "row 2", service.infer, "m", rows, sequence_start=True)
        self.assertEqual(service.ask("GET", "/admin/models/m/streams/-/state"), before)

    def test_a_refused_first_batch_leaves_no_stream(self):
        service = self.serve()
        self.refused(400, "", service.infer, "m", numpy.full((1, 32), numpy.inf), sequence_id="s")
        self.refused(404, "does not exist", service.ask, "GET", "/admin/models/m/streams/s")

    def test_a_body_nested_without_end_is_refused(self):
        service = self.serve("--data", "")
        deep = "[" * 500_000 + "]" * 500_000
        for method, path, body in (("POST", "/v2/models/m/labels", '{"ids": [], "labels": [], "sequence_id": %s}'),
                                   ("POST", "/admin/models", '{"name": "n", "source": %s}'),
                                   ("POST", "/admin/models", '{"options": {"window": %s}}'),
                                   ("PUT", "/admin/models/m/mode", '{"mode": %s}'),
                                   ("POST", "/v2/models/m/infer", '{"inputs": %s}')):
            with self.subTest(path=path):
                self.assertEqual(service.send(method, path, body % deep)[0], 400)
                self.assertEqual(service.send(method, path, body % deep[:400_000])[0], 400)

    def test_paths_and_methods_that_are_not_there(self):
        service = self.serve("--data", "")
        for method, path, status in (("GET", "/nothing", 404), ("POST", "/livez", 405), ("GET", "/v2/models/m/infer", 405),
                                     ("DELETE", "/v2", 405), ("GET", "/admin", 404), ("PATCH", "/admin/models", 404),
                                     ("GET", "/v2/models/m%00", 400), ("GET", "/v2/models/%zz", 400),
                                     ("GET", "/v2/models/m/ready/more", 404), ("POST", "/admin/models/m/streams/s/dance", 404)):
            with self.subTest(method=method, path=path):
                self.assertEqual(service.send(method, path)[0], status)

    def test_bytes_that_are_not_http(self):
        service = self.serve("--data", "")
        random = numpy.random.default_rng(5)
        for sent in [b"\x00" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 50] + [random.bytes(300) for _ in range(30)]:
            with socket.create_connection((service.address.hostname, service.address.port), timeout=30) as raw:
                raw.sendall(sent)
                raw.shutdown(socket.SHUT_WR)
                answer = raw.recv(1000)
                self.assertFalse(answer.startswith(b"HTTP/1.1 5"), answer)
        self.assertEqual(service.send("GET", "/livez")[0], 200)


if __name__ == "__main__":
    unittest.main()
