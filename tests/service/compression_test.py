"""Compressed bodies, in both directions."""

import gzip
import json
import unittest
import zlib

import numpy

from service import ServiceTest
from triton import TritonClient, requested

MEGABYTE = 1_000_000


def raw_deflate(body):
    coder = zlib.compressobj(wbits=-15)
    return coder.compress(body) + coder.flush()


class Compression(ServiceTest):
    def test_bodies_are_compressed_both_ways(self):
        client = TritonClient(self.serve("--data", ""))
        rows = self.features[:64]
        _, plain, headers = client.infer("m", rows, sequence_id=1)
        self.assertNotIn("Content-Encoding", headers)
        for number, sent in enumerate((None, "gzip", "deflate"), 2):
            for asked in (None, "gzip", "deflate"):
                with self.subTest(sent=sent, asked=asked):
                    _, tensors, headers = client.infer("m", rows, sequence_id=number, sequence_start=True, compression=sent,
                                                       answer_compression=asked)
                    self.assertEqual(headers.get("Content-Encoding"), asked)
                    self.assertEqual(headers.get("Vary"), "Accept-Encoding" if asked else None)
                    for name, values in plain.items():
                        numpy.testing.assert_array_equal(tensors[name], values)

    def test_json_is_compressed_too(self):
        service = self.serve("--data", "")
        body = json.dumps({"inputs": [{"name": "features", "shape": [64, 32], "datatype": "FP32",
                                       "data": self.features[:64].ravel().tolist()}], "parameters": {"adapt": False}}).encode()
        expected = service.send("POST", "/v2/models/m/infer", body)[2]
        for name, coder in (("gzip", gzip.compress), ("deflate", zlib.compress), ("deflate", raw_deflate), ("identity", bytes),
                            ("X-GZIP", lambda text: gzip.compress(text[:99]) + gzip.compress(text[99:]))):
            with self.subTest(name=name):
                status, headers, content = service.send("POST", "/v2/models/m/infer", coder(body),
                                                        {"Content-Encoding": name, "Accept-Encoding": "gzip, deflate"})
                self.assertEqual((status, headers["Content-Encoding"]), (200, "gzip"))
                self.assertEqual(gzip.decompress(content), expected)
                self.assertLess(len(content), len(expected))

    def test_small_answers_and_errors_are_sent_as_they_are(self):
        client = TritonClient(self.serve("--data", ""))
        _, _, headers = client.infer("m", self.features[:1], outputs=[requested("label")], answer_compression="gzip")
        self.assertNotIn("Content-Encoding", headers)
        status, headers, content = client.service.send("POST", "/v2/models/m/infer", "{}", {"Accept-Encoding": "gzip"})
        self.assertEqual((status, headers.get("Content-Encoding")), (400, None))
        self.assertIn("error", json.loads(content))
        status, headers, _ = client.service.send("GET", "/metrics", headers={"Accept-Encoding": "gzip"})
        self.assertNotIn("Content-Encoding", headers)

    def test_other_codings_and_broken_bodies_are_refused(self):
        service = self.serve("--data", "")
        infer = "/v2/models/m/infer"
        for coding in ("br", "zstd", "gzip, gzip"):
            self.refused(415, "must be gzip, deflate or identity", service.ask, "POST", infer, b"x", {"Content-Encoding": coding})
        good = gzip.compress(b"{}")
        for body, words in ((b"{}", "is not gzip"), (good[:-3], "incomplete"), (good + b"xx", "not gzip")):
            self.refused(400, words, service.ask, "POST", infer, body, {"Content-Encoding": "gzip"})
        self.refused(400, "after its deflate stream", service.ask, "POST", infer, zlib.compress(b"{}") + b"x",
                     {"Content-Encoding": "deflate"})
        self.refused(400, "inputs must have one of name features", service.ask, "POST", infer, good, {"Content-Encoding": "gzip"})
        self.refused(400, "must be at most the 2 bytes of the body", service.ask, "POST", infer, good,
                     {"Content-Encoding": "gzip", "Inference-Header-Content-Length": "3"})

    def test_a_bomb_is_refused_without_the_memory(self):
        service = self.serve("--data", "", config='max_body = "8 MB"')
        bomb = gzip.compress(bytes(1024 * MEGABYTE), 9)
        self.assertLess(len(bomb), 2 * MEGABYTE)

        def peak():
            with open(f"/proc/{service.process.pid}/status") as file:
                return int(next(line for line in file if line.startswith("VmHWM")).split()[1]) * 1024

        before = peak()
        for coding, body in (("gzip", bomb), ("deflate", zlib.compress(bytes(100 * MEGABYTE), 9))):
            self.refused(413, f"larger than {8 * MEGABYTE} bytes", service.ask, "POST", "/v2/models/m/infer", body,
                         {"Content-Encoding": coding})
        self.assertLess(peak() - before, 64 * MEGABYTE)

    def test_what_is_decompressed_counts_for_the_caller(self):
        """A caller may hold half of sixteen bodies; requests that are being sent hold nearly all of that here."""
        service = self.serve("--data", "", config='max_body = "1 MB"')
        body = gzip.compress(bytes(MEGABYTE - 1), 9)
        sending = []

        def send_part():
            connection = service.connect()
            sending.append(connection)
            connection.putrequest("POST", "/v2/models/m/infer")
            connection.putheader("Content-Length", str(MEGABYTE))
            connection.endheaders(bytes(MEGABYTE // 2))

        def status():
            return service.send("POST", "/v2/models/m/infer", body, {"Content-Encoding": "gzip"})[0]

        def is_refused():
            send_part()
            return status() == 429

        self.assertEqual(status(), 400)  # a body of zeros is not JSON
        self.eventually(is_refused)
        self.assertGreater(len(sending), 10)
        for connection in sending:
            connection.close()
        self.eventually(lambda: status() == 400)


if __name__ == "__main__":
    unittest.main()
