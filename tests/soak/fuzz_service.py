#!/usr/bin/python3
"""Broken requests for a running service: make fuzz-service, or

    tests/soak/fuzz_service.py build/asan/bin/stad-server SECONDS [SEED]

Whole requests, mutated as bytes: cut, flipped, repeated, spliced, with lengths that lie. The service must stay alive,
never answer 5xx, and in the end answer a good request with the bits it gave at first.
"""

import gzip
import json
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import numpy

DIMENSION = 8
# The admin token permits removing the model, and some mutations would remove it: no model would be left to test.
REMOVES_THE_MODEL = re.compile(rb"DELETE /+admin/+models/+m/*[ ?]")


def request(method, path, body=b"", **headers):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def infer(stream, rows=2, binary=True, **more):
    tensor = {"name": "features", "shape": [rows, DIMENSION], "datatype": "FP32"}
    message = {"id": "x", "parameters": {"sequence_id": stream, "time": 3}, "inputs": [tensor], **more}
    values = [0.1 * (i % 7) for i in range(rows * DIMENSION)]
    if not binary:
        tensor["data"] = values
        return request("POST", "/v2/models/m/infer", json.dumps(message).encode())
    tensor["parameters"] = {"binary_data_size": 4 * len(values)}
    head = json.dumps(message).encode()
    return request("POST", "/v2/models/m/infer", head + struct.pack(f"<{len(values)}f", *values),
                   Inference_Header_Content_Length=len(head))


def seeds():
    stream = "/admin/models/m/streams/a"
    body = lambda value: json.dumps(value).encode()
    return [infer("a"), infer("b", 3), infer("c", binary=False), infer(7, outputs=[{"name": "source_label"}]),
            infer("a", parameters={"sequence_id": "a", "sequence_start": True}),
            infer("a", parameters={"sequence_id": "a", "adapt": False, "binary_data_output": True}),
            request("GET", "/v2"), request("GET", "/v2/models/m/stats"), request("GET", "/metrics"), request("GET", "/"),
            request("GET", "/admin/models"), request("GET", f"{stream}"), request("GET", f"{stream}/snapshots"),
            request("POST", f"{stream}/snapshots", body({"note": "n"})), request("POST", f"{stream}/reset"),
            request("POST", f"{stream}/rollback", body({"snapshot": 1})), request("GET", f"{stream}/state"),
            request("PUT", f"{stream}/state", b"STADST\x1a\n" + bytes(40)), request("DELETE", stream),
            request("GET", "/admin/models/m/streams?limit=3&after=a"), request("GET", "/admin/events?model=m&limit=5"),
            request("PUT", "/admin/models/m/mode", body({"mode": "active"})),
            request("POST", "/admin/models", body({"name": "z", "source_base64": "AAAA", "options": {"a": 1}})),
            request("GET", "/v2/models/m/config"), request("GET", "/v2/models/stats"), request("POST", "/v2/repository/index"),
            request("POST", "/v2/repository/models/m/load", b"{}"),
            request("POST", "/v2/models/m/infer", gzip.compress(b'{"inputs": []}'), Content_Encoding="gzip"),
            request("POST", "/v2/models/m/infer", zlib.compress(b'{"inputs": []}'), Content_Encoding="deflate"),
            infer("c", outputs=[{"name": "probabilities", "parameters": {"classification": 2}}]),
            request("POST", "/v2/models/m/labels", body({"sequence_id": "a", "ids": [1], "labels": [0]}))]


def mutated(chance, corpus):
    data = bytearray(chance.choice(corpus))
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(7)
        if kind == 0:
            del data[place:place + chance.randint(1, 40)]
        elif kind == 1 and place < len(data):
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 2:
            data[place:place] = chance.randbytes(chance.randint(1, 20))
        elif kind == 3:
            other = chance.choice(corpus)
            data[place:place] = other[chance.randrange(len(other)):][:60]
        elif kind == 4:
            data[place:place] = chance.choice([b"999999999999", b"-1", b"1e308", b"NaN", b"null", b'"', b"{", b"[[", b"\xff\xfe",
                                               b"%00", b"%2f", b"\r\n", b"\x00", b"Transfer-Encoding: chunked\r\n"])
        elif kind == 5:
            data[place:place] = data[place:place + 30] * chance.randint(1, 30)
        elif data:
            digits = [i for i, byte in enumerate(data) if 48 <= byte < 58]
            if digits:
                data[chance.choice(digits)] = chance.choice(b"0123456789")
    return bytes(data)


def answer_to(port, data):
    """The status lines of what came back until the service closed or fell silent."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        received = b""
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while b"text/event-stream" not in received and (piece := connection.recv(65536)):  # which has no end
                received += piece
        except (BrokenPipeError, ConnectionResetError):
            pass
        return received


def main():
    program, seconds = sys.argv[1], float(sys.argv[2])
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with tempfile.TemporaryDirectory(prefix="stad-fuzz-") as folder:
        numpy.savez(f"{folder}/head.npz", weight=numpy.random.default_rng(1).normal(size=(3, DIMENSION)).astype("f4"))
        pathlib.Path(folder, "stad.toml").write_text(
            f'data = "{folder}/data"\nrequest_timeout = 5\nmax_body = "1 MB"\nmemory = "200 KB"\n[[model]]\nname = "m"\n'
            f'source = "{folder}/head.npz"\n')
        log = open(f"{folder}/log", "w+")
        process = subprocess.Popen([program, "--config", f"{folder}/stad.toml", "--listen", "127.0.0.1:0"], stderr=log)
        while "address" not in pathlib.Path(folder, "log").read_text():
            if process.poll() is not None:
                sys.exit(f"the service ended before it listened: {pathlib.Path(folder, 'log').read_text()}")
            time.sleep(0.05)
        port = int(json.loads(pathlib.Path(folder, "log").read_text().splitlines()[0])["address"].rstrip("/").rsplit(":", 1)[1])
        good = infer("good", outputs=[{"name": "probabilities"}], parameters={"sequence_id": "good", "adapt": False})
        expected = answer_to(port, good)
        corpus, sent, statuses = seeds(), 0, {}
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            data = mutated(chance, corpus)
            if REMOVES_THE_MODEL.search(data):
                continue
            received = answer_to(port, data)
            sent += 1
            status = received[9:12].decode("latin1")
            statuses[status] = statuses.get(status, 0) + 1
            if process.poll() is not None or b"HTTP/1.1 5" in received:
                print(f"after {sent} requests: {data!r}\ngave {received[:300]!r}\n{pathlib.Path(folder, 'log').read_text()[-3000:]}")
                sys.exit(1)
        unchanged = answer_to(port, good) == expected and b" 200 OK" in expected
        process.send_signal(signal.SIGTERM)
        code = process.wait(timeout=60)
        reports = [line for line in pathlib.Path(folder, "log").read_text().splitlines() if not line.startswith("{")]
        print(f"{sent} broken requests in {seconds:.0f} s, answers by status {dict(sorted(statuses.items()))}, exit {code}")
        if code != 0 or reports or not unchanged:
            print("\n".join(reports[:40]) or "the good request is answered otherwise than at first")
            sys.exit(1)


if __name__ == "__main__":
    main()
