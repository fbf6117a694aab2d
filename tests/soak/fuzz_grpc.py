#!/usr/bin/python3
"""Broken gRPC calls for a service that runs, best one built with AddressSanitizer: make fuzz-service, or

    tests/soak/fuzz_grpc.py build/asan/bin/stad-server SECONDS [SEED]

Half of the calls are valid HTTP/2 with a changed message, sent by grpcio; the others are changed frames of HTTP/2 on a
socket. Fails where the service ends, answers INTERNAL or UNKNOWN, writes a report, or answers a valid request otherwise
than at the start.
"""

import collections
import json
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import grpc
import numpy

CORPUS = pathlib.Path(__file__).parents[2] / "fuzz/corpus/grpc"
SERVICE = "/inference.GRPCInferenceService/"
METHODS = ["ModelInfer"] * 6 + ["ModelStreamInfer"] * 3 + ["ModelMetadata", "ModelReady", "ServerMetadata", "ServerLive", "Nothing"]
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def header(name, value):
    """A literal field without indexing and without Huffman codes; both shorter than 127 bytes."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def call(method, message, stream=1):
    """The frames of one call."""
    fields = {":method": "POST", ":scheme": "http", ":path": SERVICE + method, ":authority": "localhost", "te": "trailers",
              "content-type": "application/grpc", "grpc-timeout": "5S", "idempotency-key": "k"}
    block = b"".join(header(*field) for field in fields.items())
    return [frame(HEADERS, 4, stream, block),
            frame(DATA, 1, stream, b"\0" + struct.pack(">I", len(message)) + message)]


def change_bytes(chance, data, others):
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            del data[place:place + chance.randint(1, 20)]
        elif kind == 1 and place < len(data):
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 2:
            data[place:place] = chance.randbytes(chance.randint(1, 20))
        elif kind == 3:
            other = chance.choice(others)
            data[place:place] = other[chance.randrange(len(other)):][:40]
        elif kind == 4:
            data[place:place] = chance.choice([b"\xff" * 10, b"\x80" * 9 + b"\x01", b"\0" * 8, b"\x7f" * 5, b"\xc2\x80", b"\r\n"])
        else:
            data[place:place] = data[place:place + 20] * chance.randint(1, 20)
    return bytes(data)


def change_frames(chance, frames, others):
    frames = list(frames)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(frames))
        kind = chance.randrange(5)
        if kind == 0:
            frames.insert(place, chance.choice(frames))
        elif kind == 1:
            frames.insert(place, frame(chance.randrange(12), chance.randrange(256), chance.choice([0, 1, 1, 3, 2**31 - 1]),
                                       chance.randbytes(chance.choice([0, 4, 5, 8, 30]))))
        elif kind == 2:
            frames.insert(place, chance.choice([frame(RESET, 0, 1, bytes(4)), frame(WINDOW, 0, 0, b"\x7f\xff\xff\xff"),
                                                frame(SETTINGS, 0, 0, chance.randbytes(6)), frame(GOAWAY, 0, 0, bytes(8)),
                                                frame(PING, 0, 0, bytes(8)), frame(CONTINUATION, 4, 1, chance.randbytes(9))]))
        elif kind == 3 and len(frames) > 1:
            del frames[place]
        else:
            frames[place] = change_bytes(chance, frames[place], others) or b"\0"
    return frames


def send_frames(port, frames):
    """Sends the frames and reads until the service ends the stream or closes, for 0.2 s at most."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        try:
            connection.sendall(PREFACE + b"".join(frames))
            connection.settimeout(0.2)
            received = b""
            while piece := connection.recv(65536):
                received += piece
                if b"grpc-status" in received:
                    break
        except (BrokenPipeError, ConnectionResetError, TimeoutError, socket.timeout):
            pass


class Fuzzed:
    """The service with a model of two dimensions, which the requests of the corpus fit."""

    def __init__(self, program, folder):
        numpy.savez(f"{folder}/head.npz", weight=numpy.random.default_rng(1).normal(size=(3, 2)).astype("f4"))
        pathlib.Path(folder, "stad.toml").write_text(
            f'data = "{folder}/data"\ngrpc = "127.0.0.1:0"\nrequest_timeout = 5\nmax_body = "1 MB"\nmemory = "200 KB"\n'
            f'[[model]]\nname = "m"\nsource = "{folder}/head.npz"\n')
        self.log = pathlib.Path(folder, "log")
        self.process = subprocess.Popen([program, "--config", f"{folder}/stad.toml", "--listen", "127.0.0.1:0"],
                                        stderr=self.log.open("w"))
        while '"serving"' not in self.log.read_text():
            if self.process.poll() is not None:
                sys.exit(f"the service ended before it listened: {self.log.read_text()}")
            time.sleep(0.05)
        self.address = json.loads(self.log.read_text().splitlines()[0])["grpc"]
        self.port = int(self.address.rsplit(":", 1)[1])
        self.channel = grpc.insecure_channel(self.address)

    def send(self, method, messages):
        """The status of a call with these messages."""
        try:
            list(self.channel.stream_stream(SERVICE + method)(iter(messages), timeout=20))
            return "OK"
        except grpc.RpcError as error:
            return error.code().name

    def predict(self, message):
        return self.channel.unary_unary(SERVICE + "ModelInfer")(message, timeout=20)


def main():
    program, seconds = sys.argv[1], float(sys.argv[2])
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    corpus = [path.read_bytes() for path in sorted(CORPUS.iterdir())]
    # raw_fp32 on a stream of its own, without adaptation: parameters sequence_id = "good", adapt = false.
    good = (CORPUS / "raw_fp32").read_bytes() + (b"\x22\x15\x0a\x0bsequence_id\x12\x06\x1a\x04good" +
                                                 b"\x22\x0b\x0a\x05adapt\x12\x02\x08\x00")
    with tempfile.TemporaryDirectory(prefix="stad-fuzz-") as folder:
        service = Fuzzed(program, folder)
        expected = service.predict(good)
        statuses, frames = collections.Counter(), 0
        end = time.monotonic() + seconds
        while time.monotonic() < end and service.process.poll() is None:
            method = chance.choice(METHODS)
            messages = [change_bytes(chance, chance.choice(corpus), corpus) for _ in range(chance.randint(1, 3))]
            if chance.randrange(2):
                status = service.send(method, messages)
                statuses[status] += 1
                if status in ("INTERNAL", "UNKNOWN"):
                    print(f"{method} answered {status} to {messages!r}\n{service.log.read_text()[-3000:]}")
                    sys.exit(1)
                continue
            calls = [frame(SETTINGS, 0, 0, b"")] + [one for i, message in enumerate(messages)
                                                    for one in call(method, message[:8000], 2 * i + 1)]
            send_frames(service.port, change_frames(chance, calls, corpus))
            frames += 1
        unchanged = service.process.poll() is None and service.predict(good) == expected
        service.channel.close()
        service.process.send_signal(signal.SIGTERM)
        code = service.process.wait(timeout=60)
        reports = [line for line in service.log.read_text().splitlines() if not line.startswith("{")]
        print(f"{sum(statuses.values())} changed messages and {frames} changed connections in {seconds:.0f} s, "
              f"answers by status {dict(sorted(statuses.items()))}, exit {code}")
        if code != 0 or reports or not unchanged:
            print("\n".join(reports[:40]) or "the valid request is answered otherwise than at the start")
            sys.exit(1)


if __name__ == "__main__":
    main()
