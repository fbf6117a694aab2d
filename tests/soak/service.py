#!/usr/bin/python3
"""The service under load, beside its clients on the same machine: make soak, or

    tests/soak/service.py build/bin/stad-server [seconds]

Batches of one row (512 dimensions, 10 classes, binary, keep-alive), sent by wrk. Says what was seen, and fails where the
service loses a request, grows, or falls short of what docs/service.md promises.
"""

import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import typing
import urllib.request

import numpy

DIMENSION, CLASSES = 512, 10
SCRIPT = pathlib.Path(__file__).with_name("service_load.lua")


class Load(typing.NamedTuple):
    """What wrk has seen."""

    rate: int  # requests a second
    p50: float  # ms
    p99: float  # ms
    errors: int
    requests: int


def run_load(address, seconds, connections, streams):
    """Sends the requests of service_load.lua over so many connections."""
    done = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", SCRIPT, address, "--", str(streams)],
                          capture_output=True, text=True, check=True)
    found = re.search(r"requests a second (\d+), p50 ([\d.]+) ms, p99 ([\d.]+) ms, errors (\d+)", done.stdout)
    return Load(int(found[1]), float(found[2]), float(found[3]), int(found[4]),
                int(re.search(r"(\d+) requests in", done.stdout)[1]))


class Service:
    def __init__(self, program, folder, *arguments):
        random = numpy.random.default_rng(1)
        numpy.savez(f"{folder}/head.npz", weight=random.normal(size=(CLASSES, DIMENSION)).astype("f4"),
                    mean=numpy.full(DIMENSION, 0.2, "f4"))
        pathlib.Path(folder, "stad.toml").write_text(
            f'data = "{folder}/data"\n[[model]]\nname = "m"\nsource = "{folder}/head.npz"\n')
        self.process = subprocess.Popen([program, "--config", f"{folder}/stad.toml", "--listen", "127.0.0.1:0", *arguments],
                                        stderr=subprocess.PIPE, text=True)
        self.address = json.loads(self.process.stderr.readline())["address"].rstrip("/")

    def load(self, seconds, connections, streams):
        return run_load(self.address, seconds, connections, streams)

    def megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024 / 1e6

    def metric(self, name):
        with urllib.request.urlopen(f"{self.address}/metrics") as answer:
            return sum(float(line.split()[-1]) for line in answer.read().decode().splitlines() if line.startswith(name))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.stderr.read()
        return self.process.wait(timeout=120)


failures = []


def promise(holds, what):
    print(("  " if holds else "  SHORT: ") + what, flush=True)
    if not holds:
        failures.append(what)


def main():
    program = sys.argv[1]
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    with tempfile.TemporaryDirectory(prefix="stad-soak-") as folder:
        service = Service(program, folder)
        print("64 streams, durability interval")
        service.load(3, 64, 64)  # warm
        load = service.load(seconds, 64, 64)
        promise(load.errors == 0, f"{load.errors} errors")
        promise(load.rate >= 12_000, f"{load.rate} requests a second")
        promise(load.p99 < 10, f"p99 {load.p99} ms")

        print("1,000 idle connections beside them")
        port = int(service.address.rsplit(":", 1)[1])
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(1000)]
        load = service.load(10, 64, 64)
        promise(service.metric("stad_connections") >= 1000, f"{service.metric('stad_connections'):.0f} connections")
        promise(load.errors == 0 and load.rate >= 12_000,
                f"{load.rate} requests a second, p99 {load.p99} ms, {load.errors} errors")
        for connection in idle:
            connection.close()

        print("a million requests")
        before, sent = service.megabytes(), 0
        while sent < 1_000_000:
            load = service.load(10, 64, 64)
            sent += load.requests
            promise(load.errors == 0, f"{sent} requests, {service.megabytes():.0f} MB")
        promise(service.megabytes() < 1.1 * before + 5, f"{before:.0f} MB before, {service.megabytes():.0f} MB after")
        promise(service.stop() == 0, "an orderly end")

    with tempfile.TemporaryDirectory(prefix="stad-soak-") as folder:
        print("10,000 streams in memory")
        service = Service(program, folder, "--memory", "2 GB")
        service.load(max(10, seconds), 64, 10_000)
        resident = service.metric('stad_streams{model="m",place="memory"}')
        promise(resident == 10_000, f"{resident:.0f} streams")
        promise(service.megabytes() < 1000, f"{service.megabytes():.0f} MB")
        promise(service.stop() == 0, "an orderly end")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
