"""A real `stad-server` on loopback, and a client of a few lines, as any team would write one."""

import copy
import http.client
import json
import os
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.parse

import numpy

SERVER = os.environ["STAD_SERVER"]
COMMAND = os.environ["STAD_COMMAND"]
TYPES = {"FP16": "<f2", "FP32": "<f4", "FP64": "<f8", "INT64": "<i8"}


def run_command(*arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"stad {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status}: {body}")
        self.status = status
        self.error = json.loads(body)["error"] if body else ""


class Service:
    """Starts the program, waits until it says where it listens, and ends it."""

    def __init__(self, *arguments, token=None, environment=None):
        self.arguments = ["--listen", "127.0.0.1:0", *map(str, arguments)]
        self.token = token
        self.environment = {**os.environ, **(environment or {})}
        self.start()

    def start(self):
        self.process = subprocess.Popen([SERVER, *self.arguments], stderr=subprocess.PIPE, text=True, env=self.environment)
        self.log = []
        for line in self.process.stderr:
            if not line.startswith("{"):
                raise AssertionError(line)
            self.log.append(json.loads(line))
            if self.log[-1]["message"] == "serving":
                break
        else:
            raise AssertionError(f"stad-server ended with {self.process.wait()}")
        self.address = urllib.parse.urlsplit(self.log[-1]["address"])
        self.connection = None

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.finish()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.finish()

    def finish(self):
        if self.connection:
            self.connection.close()
        self.log += [json.loads(line) for line in self.process.stderr if line.startswith("{")]
        self.process.stderr.close()
        return self.process.wait(timeout=60)

    def client(self):
        """With a connection of its own, to the address of the last start."""
        client = copy.copy(self)
        client.connection = None
        return client

    def connect(self):
        return http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)

    def send(self, method, path, body=None, headers=None):
        """Status, headers and body, over one connection that stays open."""
        headers = dict(headers or {})
        if self.token and "Authorization" not in headers:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.connection is None:
            self.connection = self.connect()
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def ask(self, method, path, body=None, headers=None):
        """The JSON that is answered; raises Refused."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body)
        status, headers, content = self.send(method, path, data, headers)
        if status >= 400:
            raise Refused(status, content)
        return json.loads(content) if headers.get_content_type() == "application/json" else content

    def infer(self, model, features, binary=True, datatype="FP32", outputs=("label", "probabilities"), headers=None,
              request_id=None, **parameters):
        """The answered tensors by name, and the answer's parameters."""
        features = numpy.ascontiguousarray(features, TYPES[datatype])
        tensor = {"name": "features", "shape": list(features.shape), "datatype": datatype}
        request = {"parameters": parameters, "inputs": [tensor],
                   "outputs": [{"name": name, "parameters": {"binary_data": binary}} for name in outputs]}
        if request_id is not None:
            request["id"] = request_id
        headers = dict(headers or {})
        if binary:
            tensor["parameters"] = {"binary_data_size": features.nbytes}
            head = json.dumps(request).encode()
            headers["Inference-Header-Content-Length"] = str(len(head))
            body = head + features.tobytes()
        else:
            tensor["data"] = features.ravel().tolist()
            body = json.dumps(request).encode()
        status, answered, content = self.send("POST", f"/v2/models/{model}/infer", body, headers)
        if status >= 400:
            raise Refused(status, content)
        length = int(answered.get("Inference-Header-Content-Length", len(content)))
        answer = json.loads(content[:length])
        rest = content[length:]
        tensors = {}
        for output in answer["outputs"]:
            kind = TYPES[output["datatype"]]
            size = output.get("parameters", {}).get("binary_data_size")
            if size is None:
                values = numpy.array(output["data"], kind)
            else:
                values, rest = numpy.frombuffer(rest[:size], kind), rest[size:]
            tensors[output["name"]] = values.reshape(output["shape"])
        assert not rest
        return tensors, answer["parameters"]


class ServiceTest(unittest.TestCase):
    """Each test has a folder of its own, with a head and a drifting stream in it."""

    DIMENSION = 32

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="stad-service-")
        self.services = []
        self.stream_file = self.path("stream.npz")
        run_command("simulate", "--steps", 4, "--seed", 3, "--out", self.stream_file)
        recorded = numpy.load(self.stream_file)
        self.features = recorded["features"].astype("<f4")
        self.labels = recorded["labels"]

    def tearDown(self):
        for service in self.services:
            if service.process.poll() is None:
                service.stop()
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def serve(self, *arguments, config="", method="stad-safe", model="", models=None, **keywords):
        """With one model, `m`, or with `models`, the methods by name. The head of each is the stream's; `model` holds
        further settings of each."""
        with open(self.path("stad.toml"), "w") as file:
            file.write(f'{config}\ndata = "{self.path("data")}"\n')
            for name, chosen in (models or {"m": method}).items():
                file.write(f'[[model]]\nname = "{name}"\nsource = "{self.stream_file}"\nmethod = "{chosen}"\n{model}\n')
        service = Service("--config", self.path("stad.toml"), *arguments, **keywords)
        self.services.append(service)
        return service

    def eventually(self, condition, seconds=60):
        """The machine may be slow; what depends on it comes later."""
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def batches(self, count, size=16):
        return [self.features[i * size:(i + 1) * size] for i in range(count)]

    def refused(self, status, words, action, *arguments, **keywords):
        """That the service refuses with this status and these words."""
        with self.assertRaises(Refused) as raised:
            action(*arguments, **keywords)
        self.assertEqual(raised.exception.status, status, raised.exception)
        self.assertIn(words, raised.exception.error)
