"""NATS servers and workers on loopback, for tests, the demo and measurements; and what a single process answers to the same
streams. Programs are found by STAD_COMMAND, STAD_CLUSTER, STAD_SERVER and NATS_SERVER, else as `make cluster` leaves them."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time

import numpy

import stad

BUILT = pathlib.Path(__file__).parent.parent / "build/bin"
COMMAND = os.environ.get("STAD_COMMAND", BUILT / "stad")
CLUSTER = os.environ.get("STAD_CLUSTER", BUILT / "stad-cluster")
SERVER = os.environ.get("STAD_SERVER", BUILT / "stad-server")
NATS_SERVER = os.environ.get("NATS_SERVER", "/usr/sbin/nats-server")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Nats:
    """One server, or three that keep everything three times."""

    def __init__(self, folder, nodes=1, partitions=4, max_payload="1MB"):
        self.folder, self.nodes, self.max_payload = pathlib.Path(folder), nodes, max_payload
        ports = free_ports(2 * nodes)
        self.ports, self.routes = ports[:nodes], ports[nodes:]
        self.processes = [None] * nodes
        for i in range(nodes):
            self.configure(i, partitions)
            self.start(i)
        for i in range(nodes):
            self.wait_for(i)

    def configure(self, i, partitions):
        cluster = f"""cluster {{ name: stad, listen: "127.0.0.1:{self.routes[i]}",
          routes: [{", ".join(f'"nats://127.0.0.1:{port}"' for port in self.routes)}] }}""" if self.nodes > 1 else ""
        mapping = f"stad.partition.{{{{partition({partitions},1,2)}}}}.{{{{wildcard(1)}}}}.{{{{wildcard(2)}}}}"
        (self.folder / f"nats-{i}.conf").write_text(f"""
          server_name: node-{i}
          listen: "127.0.0.1:{self.ports[i]}"
          max_payload: {self.max_payload}
          jetstream {{ store_dir: "{self.folder}/store-{i}" }}
          {cluster}
          mappings = {{ "stad.in.*.*": "{mapping}" }}
        """)

    @property
    def address(self):
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    def start(self, i):
        with open(self.folder / f"nats-{i}.log", "ab") as log:
            self.processes[i] = subprocess.Popen([NATS_SERVER, "-c", self.folder / f"nats-{i}.conf"], stdout=log, stderr=log)

    def wait_for(self, i):
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.ports[i]), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"nats-server {i} does not listen on port {self.ports[i]}")

    def kill(self, i):
        self.processes[i].kill()
        self.processes[i].wait()

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()


class Cluster:
    """Servers, a model, and workers that come and go."""

    def __init__(self, nodes=1, partitions=4, settings=None, model=None, max_payload="1MB", simulate=()):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.nats = Nats(self.folder, nodes, partitions, max_payload)
        self.stream = self.folder / "stream.npz"
        self.command("simulate", "--out", self.stream, *simulate, program=COMMAND)
        self.config = self.folder / "stad.toml"
        text = {"name": '"demo"', "source": f'"{self.stream}"', **(model or {})}
        cluster = {"nats": f'"{self.nats.address}"', "partitions": partitions, "replicas": nodes, **(settings or {})}
        self.config.write_text("[[model]]\n" + "".join(f"{key} = {value}\n" for key, value in text.items())
                               + "[cluster]\n" + "".join(f"{key} = {value}\n" for key, value in cluster.items()))
        self.workers, self.publishers = [], []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:  # what is needed to find the reason
            print(self.command("cluster", "status", "--config", self.config, check=False).stdout, flush=True)
            for log in sorted(self.folder.glob("*.log")):
                print(f"--- {log.name}", *log.read_text(errors="replace").splitlines()[-12:], sep="\n", flush=True)
        for process in self.workers + self.publishers:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.nats.stop()
        self.scratch.cleanup()

    def command(self, *arguments, program=CLUSTER, check=True, timeout=120):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, arguments))}: {done.stderr}")
        return done if not check else done.stdout

    def start_worker(self, *arguments):
        log = open(self.folder / f"worker-{len(self.workers)}.log", "ab")
        worker = subprocess.Popen([CLUSTER, "worker", "--config", self.config, *map(str, arguments)], stderr=log)
        log.close()
        self.workers.append(worker)
        return worker

    def log_of(self, worker):
        path = self.folder / f"worker-{self.workers.index(worker)}.log"
        return [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]

    def publish(self, *arguments, file=None):
        return json.loads(self.command("publish", file or self.stream, "--config", self.config, "--json", *arguments))

    def start_publishing(self, *arguments, file=None):
        publisher = subprocess.Popen([CLUSTER, "publish", file or self.stream, "--config", self.config, "--json",
                                      *map(str, arguments)], stdout=subprocess.PIPE, text=True)
        self.publishers.append(publisher)
        return publisher

    def collect(self, count, *arguments, idle=60, timeout=300):
        out = self.folder / "answers.npz"
        report = json.loads(self.command("subscribe", "--config", self.config, "--out", out, "--count", count, "--idle", idle,
                                         "--json", *arguments, timeout=timeout))
        with numpy.load(out) as file:
            return report, {name: file[name] for name in file.files}

    def status(self):
        return json.loads(self.command("cluster", "status", "--config", self.config, "--json"))

    def wait_until(self, holds, seconds=30, what="it"):
        for _ in range(int(seconds * 5)):
            try:
                status = self.status()
                if holds(status):
                    return status
            except AssertionError:
                pass  # the servers may be electing
            time.sleep(0.2)
        raise AssertionError(f"waited {seconds} s for {what}; {self.status()}")

    def wait_for_owners(self, workers=None):
        """Every partition has an owner that is alive, and each worker owns its share."""
        def holds(status):
            owners = {partition["worker"] for partition in status["partitions"]}
            return "" not in owners and (workers is None or len(owners) == workers)
        return self.wait_until(holds, what="owners")

    def expected(self, streams, file=None, make=stad.StadSafe, batch=64, name="camera", times=1):
        """What one process answers to the file, published so many times: labels and probabilities of batches, by stream."""
        with numpy.load(file or self.stream) as data:
            features, moments = data["features"], data["time"]
        source = stad.read_source(file or self.stream)
        adapters, answers, turn = {}, {}, 0
        for moment in list(dict.fromkeys(moments)) * times:
            rows = numpy.flatnonzero(moments == moment)
            for first in range(0, len(rows), batch):
                stream = f"demo/{name}-{turn % streams}" if streams > 1 else f"demo/{name}"
                adapter = adapters.setdefault(stream, make(source))
                answer = adapter.adapt(features[rows[first:first + batch]], time=float(moment))
                answers.setdefault(stream, []).append((numpy.array(answer.labels), numpy.array(answer.probabilities)))
                turn += 1
        return answers


def by_stream(answers):
    """Collected answers as `expected` gives them."""
    found, first = {}, 0
    for stream, rows in zip(answers["stream"], answers["batch_sizes"]):
        found.setdefault(str(answers["streams"][stream]), []).append(
            (answers["labels"][first:first + rows], answers["probabilities"][first:first + rows]))
        first += rows
    return found
