#!/usr/bin/python3
"""Processor time of a request over REST and over gRPC, in one run: make soak, or

    tests/soak/grpc_cost.py build/bin/stad-server [seconds]

One row of 512 features, 10 classes, 64 streams. h2load is the client of both: 64 processes with a connection, a request
in flight and a stream each. The time is utime + stime of the service. Fails where gRPC takes more than 3 times as long.
"""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile

import numpy

DIMENSION, CLASSES, STREAMS, LIMIT = 512, 10, 64, 3.0


def varint(number):
    low = number & 127
    return bytes([low]) if number < 128 else bytes([low | 128]) + varint(number >> 7)


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def grpc_body(stream, values):
    """A framed ModelInferRequest."""
    tensor = field(1, b"features") + field(2, b"FP32") + field(3, varint(1) + varint(DIMENSION))
    sequence = field(1, b"sequence_id") + field(2, field(3, stream.encode()))
    message = field(1, b"m") + field(4, sequence) + field(5, tensor) + field(7, values)
    return b"\0" + struct.pack(">I", len(message)) + message


def rest_body(stream, values):
    head = json.dumps({"parameters": {"sequence_id": stream, "binary_data_output": True}, "inputs": [
        {"name": "features", "shape": [1, DIMENSION], "datatype": "FP32", "parameters": {"binary_data_size": len(values)}}]})
    return head.encode(), head.encode() + values


class Service:
    def __init__(self, program, folder):
        generator = numpy.random.default_rng(1)
        numpy.savez(f"{folder}/head.npz", weight=generator.normal(size=(CLASSES, DIMENSION)).astype("f4"),
                    mean=numpy.full(DIMENSION, 0.2, "f4"))
        pathlib.Path(folder, "stad.toml").write_text(
            f'data = "{folder}/data"\n[[model]]\nname = "m"\nsource = "{folder}/head.npz"\n')
        self.process = subprocess.Popen([program, "--config", f"{folder}/stad.toml", "--listen", "127.0.0.1:0", "--grpc-listen",
                                         "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
        self.grpc = "http://" + json.loads(self.process.stderr.readline())["grpc"]
        self.rest = json.loads(self.process.stderr.readline())["address"].rstrip("/")

    def seconds(self):
        """Processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def command_of(service, transport, folder, stream):
    values = (numpy.random.default_rng(stream).random(DIMENSION) - 0.3).astype("<f4").tobytes()
    path = f"{folder}/{transport}-{stream}"
    if transport == "grpc":
        pathlib.Path(path).write_bytes(grpc_body(f"grpc-{stream}", values))
        return ["-d", path, "-H", "content-type: application/grpc", "-H", "te: trailers",
                f"{service.grpc}/inference.GRPCInferenceService/ModelInfer"]
    head, body = rest_body(f"rest-{stream}", values)
    pathlib.Path(path).write_bytes(body)
    return ["--h1", "-d", path, "-H", f"Inference-Header-Content-Length: {len(head)}", f"{service.rest}/v2/models/m/infer"]


def measure(service, transport, folder, seconds):
    """Requests, failures, and microseconds of processor time a request."""
    before = service.seconds()
    clients = [subprocess.Popen(["h2load", "-c1", "-m1", f"-D{seconds}", *command_of(service, transport, folder, stream)],
                                stdout=subprocess.PIPE, text=True) for stream in range(STREAMS)]
    done = failed = 0
    for client in clients:
        found = re.search(r"(\d+) succeeded, (\d+) failed", client.communicate()[0])
        done, failed = done + int(found[1]), failed + int(found[2])
    return done, failed, (service.seconds() - before) / max(done, 1) * 1e6


def adapted(service):
    """Requests that changed a stream, as the service counts them."""
    import urllib.request
    with urllib.request.urlopen(f"{service.rest}/metrics") as answer:
        return float(re.search(r'^stad_adapt_steps_total\{model="m"\} (\S+)', answer.read().decode(), re.M)[1])


def main():
    program = sys.argv[1]
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory(prefix="stad-cost-") as folder:
        service = Service(program, folder)
        for transport in ("rest", "grpc"):
            measure(service, transport, folder, 2)  # warm
        cost, begun, sent = {}, adapted(service), 0
        for transport in ("rest", "grpc"):
            done, failed, cost[transport] = measure(service, transport, folder, seconds)
            sent += done
            print(f"{transport}: {done} requests in {seconds} s, {failed} failed, {cost[transport]:.1f} us of processor time each")
        counted = adapted(service) - begun
        service.process.send_signal(signal.SIGTERM)
        service.process.stderr.read()
        ratio = cost["grpc"] / cost["rest"]
        print(f"gRPC / REST {ratio:.2f}, must be at most {LIMIT:.0f}; {counted:.0f} steps for {sent} requests")
        sys.exit(service.process.wait(timeout=60) != 0 or ratio > LIMIT or counted < sent)


if __name__ == "__main__":
    main()
