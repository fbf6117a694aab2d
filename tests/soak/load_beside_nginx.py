#!/usr/bin/python3
"""The service beside nginx under the same load, in one run on one machine: make load, or

    tests/soak/load_beside_nginx.py build/bin/stad-server [rounds [seconds]]

wrk sends the same requests (one row, 512 dimensions, 10 classes, binary, keep-alive, 64 connections, 64 streams) to
nginx, which discards them and returns a constant body, and to the service with durability interval and batch. nginx
shows what HTTP alone costs here. The servers take turns, so that other work on the machine affects all of them. wrk
uses up to a core of the same machine, which limits the rate of nginx first: compare the processor time of a request.
Answers are verified before they are timed. Fails if a request fails or is not adapted to.
"""

import contextlib
import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import numpy

from service import CLASSES, DIMENSION, Service, run_load

CONNECTIONS = STREAMS = 64
SETTLE = 1.5  # seconds after a load until states are saved: the interval of the service is 1
CORES = os.cpu_count()  # the service has as many threads for connections
CONFIG = """
{user}
daemon off;
worker_processes {cores};
pid nginx.pid;
error_log error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  keepalive_requests 1000000000;
  client_header_buffer_size 8k;  # a request is received at once
  server {{
    listen 127.0.0.1:{port} reuseport;  # connections are spread over the workers
    location / {{ return 200 "{body}"; }}
  }}
}}
"""


def processor_seconds(pid):
    """User and system time of a process and its children that run."""
    stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, children))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nginx:
    """A constant body for every request, with all of its files in `folder`."""

    def __init__(self, folder, body):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        user = "user root root;" if os.geteuid() == 0 else ""
        pathlib.Path(folder, "nginx.conf").write_text(CONFIG.format(user=user, cores=CORES, port=port, body=body))
        self.process = subprocess.Popen(["/usr/sbin/nginx", "-p", folder, "-c", "nginx.conf", "-e", "error.log"])
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except ConnectionRefusedError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


def post(address, features):
    """The answered body, and the length of its JSON part; as service_load.lua sends, on a stream of its own."""
    head = json.dumps({"parameters": {"sequence_id": "verified", "binary_data_output": True}, "inputs": [
        {"name": "features", "shape": [1, DIMENSION], "datatype": "FP32",
         "parameters": {"binary_data_size": features.nbytes}}]}).encode()
    request = urllib.request.Request(f"{address}/v2/models/m/infer", head + features.tobytes(), {
        "Content-Type": "application/octet-stream", "Inference-Header-Content-Length": str(len(head))})
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        return body, int(answer.headers.get("Inference-Header-Content-Length", len(body)))


def verify(service, folder):
    """Compares the answer to a row with the source, which answers the first rows of a stream. Returns its length."""
    features = numpy.random.default_rng(2).normal(size=DIMENSION).astype("<f4")
    body, length = post(service.address, features)
    label = numpy.frombuffer(body, "<i8", 1, length)[0]
    probabilities = numpy.frombuffer(body, "<f4", CLASSES, length + 8)
    scores = numpy.load(f"{folder}/head.npz")["weight"].astype("f8") @ features
    expected = numpy.exp(scores - scores.max())
    expected /= expected.sum()
    numpy.testing.assert_allclose(probabilities, expected, atol=1e-5)
    numpy.testing.assert_equal(label, expected.argmax())
    return len(body)


def measure(server, seconds):
    """The load, and processor microseconds a request, with those of saving states afterwards."""
    before = processor_seconds(server.process.pid)
    load = run_load(server.address, seconds, CONNECTIONS, STREAMS)
    time.sleep(SETTLE)
    return load, (processor_seconds(server.process.pid) - before) / load.requests * 1e6


def print_table(results):
    """Medians over the rounds; the ratios are to the first server."""
    columns = ("", "requests a second", "lowest to highest", "p50 ms", "p99 ms", "processor us a request",
               "rate / nginx", "processor / nginx")
    rows = []
    for name, measured in results.items():
        loads = [load for load, _ in measured]
        rows.append((name, statistics.median(load.rate for load in loads),
                     f"{min(load.rate for load in loads)} to {max(load.rate for load in loads)}",
                     statistics.median(load.p50 for load in loads), statistics.median(load.p99 for load in loads),
                     statistics.median(processor for _, processor in measured)))
    print("| " + " | ".join(columns) + " |")
    print("| --- " + "| ---: " * (len(columns) - 1) + "|")
    for name, rate, span, p50, p99, processor in rows:
        print(f"| {name} | {rate:.0f} | {span} | {p50:.2f} | {p99:.2f} | {processor:.1f} | {rate / rows[0][1]:.2f} | "
              f"{processor / rows[0][5]:.2f} |")


def run_rounds(servers, rounds, seconds):
    for server in servers.values():
        run_load(server.address, 1, CONNECTIONS, STREAMS)  # warm
    results = {name: [] for name in servers}
    names = list(servers)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            results[name].append(measure(servers[name], seconds))
    return results


def failures_of(results, services):
    for name, measured in results.items():
        errors, sent = (sum(counts) for counts in zip(*((load.errors, load.requests) for load, _ in measured)))
        if errors > 0:
            yield f"{name}: {errors} of {sent} requests failed"
        if name in services and services[name].metric("stad_adapt_steps_total") < sent:
            yield f"{name}: fewer adaptation steps than the {sent} requests"


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with contextlib.ExitStack() as stack:
        def new_folder():
            return stack.enter_context(tempfile.TemporaryDirectory(prefix="stad-load-"))

        services = {}
        for durability in ("interval", "batch"):
            folder = new_folder()
            service = Service(program, folder, "--durability", durability)
            stack.callback(service.stop)
            length = verify(service, folder)
            services[f"stad-server, durability {durability}"] = service
        nginx = Nginx(new_folder(), "x" * length)
        stack.callback(nginx.stop)
        if post(nginx.address, numpy.zeros(DIMENSION, "<f4"))[0] != b"x" * length:
            raise AssertionError("nginx does not return the body of its configuration")
        print(f"{CORES} cores, load average {os.getloadavg()[0]:.1f}; {rounds} rounds of {seconds} s", flush=True)
        results = run_rounds({f"nginx, {CORES} workers": nginx, **services}, rounds, seconds)
        print_table(results)
        failures = list(failures_of(results, services))
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
