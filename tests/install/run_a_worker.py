"""Runs a worker of the installed package on a NATS server with the packaged nats.conf: publish, adapt, subscribe, stop."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

server = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
example = pathlib.Path(sys.argv[1]) / "share/doc/stad-cluster/examples/nats.conf"
folder = pathlib.Path(tempfile.mkdtemp())
with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    port = one.getsockname()[1]
config = re.sub("^http: .*\n", "", example.read_text(), flags=re.MULTILINE)
config = config.replace("127.0.0.1:4222", f"127.0.0.1:{port}").replace("/var/lib/nats", str(folder / "nats"))
(folder / "nats.conf").write_text(config)
os.environ["STAD_CLUSTER_NATS"] = f"nats://127.0.0.1:{port}"


def stad(*words):
    done = subprocess.run(["stad", *map(str, words)], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"stad {' '.join(map(str, words))} exited with {done.returncode}: {done.stderr}")
    return done.stdout


with open(folder / "nats.log", "wb") as log:
    nats = subprocess.Popen([server, "-c", folder / "nats.conf"], stdout=log, stderr=log)
worker = None
try:
    for _ in range(200):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    worker = subprocess.Popen(["stad", "worker", "--log", "error"])
    stad("simulate", "--steps", 4, "--out", folder / "stream.npz")
    sent = json.loads(stad("publish", folder / "stream.npz", "--model", "demo", "--stream", "camera", "--json"))
    got = json.loads(stad("subscribe", "--count", sent["messages"], "--idle", 60, "--out", folder / "answers.npz", "--json"))
    assert (got["rows"], got["refused"]) == (sent["rows"], 0), got
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=30) == 0
    assert json.loads(stad("cluster", "status", "--json"))["workers"] == []
finally:
    for process in filter(None, (worker, nats)):
        process.kill()
        process.wait()
    shutil.rmtree(folder)
print(f"a worker adapted {got['results']} batches and exited with 0")
