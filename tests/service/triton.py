"""Requests as tritonclient.http builds them: the same paths, members and headers. The package is not in Debian."""

import gzip
import json
import struct
import urllib.parse
import zlib

import numpy

from service import TYPES, Refused

COMPRESS = {None: bytes, "gzip": gzip.compress, "deflate": zlib.compress}
DECOMPRESS = {None: bytes, "gzip": gzip.decompress, "deflate": zlib.decompress}


def requested(name, binary=True, classes=0):
    """InferRequestedOutput(name, binary_data, class_count)."""
    parameters = {"binary_data": binary}
    if classes != 0:
        parameters["classification"] = classes
    return {"name": name, "parameters": parameters}


def strings_of(data):
    """A BYTES tensor: 4 bytes of length, little-endian, before each element."""
    found = []
    while data:
        length = struct.unpack_from("<I", data)[0]
        found.append(data[4:4 + length].decode())
        data = data[4 + length:]
    return found


class TritonClient:
    def __init__(self, service, token=None):
        self.service = service
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def send(self, method, path, body=None, headers=None):
        status, answered, content = self.service.send(method, path, body, {**self.headers, **(headers or {})})
        if status != 200:
            raise Refused(status, content)
        return answered, content

    def get(self, path):
        return json.loads(self.send("GET", path)[1])

    def post(self, path, body):
        return self.send("POST", path, body)[1]

    @staticmethod
    def model_path(model, version, operation):
        versions = f"/versions/{version}" if version != "" else ""
        return f"/v2/models/{urllib.parse.quote(model)}{versions}{operation}"

    def get_model_metadata(self, model, version=""):
        return self.get(self.model_path(model, version, ""))

    def get_model_config(self, model, version=""):
        return self.get(self.model_path(model, version, "/config"))

    def get_inference_statistics(self, model="", version=""):
        return self.get(self.model_path(model, version, "/stats") if model else "/v2/models/stats")

    def get_model_repository_index(self):
        return json.loads(self.post("/v2/repository/index", ""))

    def load_model(self, model, config=None):
        body = {} if config is None else {"parameters": {"config": config}}
        return self.post(f"/v2/repository/models/{urllib.parse.quote(model)}/load", json.dumps(body))

    def unload_model(self, model, unload_dependents=False):
        body = {"parameters": {"unload_dependents": unload_dependents}}
        return self.post(f"/v2/repository/models/{urllib.parse.quote(model)}/unload", json.dumps(body))

    def infer(self, model, features, outputs=None, request_id="", sequence_id=0, sequence_start=False, sequence_end=False,
              priority=0, timeout=None, version="", compression=None, answer_compression=None, headers=None):
        """The answer's JSON, its tensors by name, and the headers."""
        features = numpy.ascontiguousarray(features, "<f4")
        tensor = {"name": "features", "shape": list(features.shape), "datatype": "FP32",
                  "parameters": {"binary_data_size": features.nbytes}}
        request, parameters = {}, {}
        if request_id != "":
            request["id"] = request_id
        if sequence_id != 0 and sequence_id != "":
            parameters = {"sequence_id": sequence_id, "sequence_start": sequence_start, "sequence_end": sequence_end}
        if priority != 0:
            parameters["priority"] = priority
        if timeout is not None:
            parameters["timeout"] = timeout
        request["inputs"] = [tensor]
        if outputs:
            request["outputs"] = outputs
        else:
            parameters["binary_data_output"] = True
        if parameters:
            request["parameters"] = parameters
        head = json.dumps(request).encode()
        headers = {"Inference-Header-Content-Length": str(len(head)), **(headers or {})}
        if compression:
            headers["Content-Encoding"] = compression
        if answer_compression:
            headers["Accept-Encoding"] = answer_compression
        answered, content = self.send("POST", self.model_path(model, version, "/infer"),
                                      COMPRESS[compression](head + features.tobytes()), headers)
        return *self.tensors_of(answered, DECOMPRESS[answered.get("Content-Encoding")](content)), answered

    @staticmethod
    def tensors_of(answered, content):
        """As InferResult reads them: the JSON, then the binary tensors in the order of `outputs`."""
        length = int(answered.get("Inference-Header-Content-Length", len(content)))
        answer, rest, tensors = json.loads(content[:length]), content[length:], {}
        for output in answer["outputs"]:
            size = output.get("parameters", {}).get("binary_data_size")
            if size is None:
                values = numpy.array(output["data"])
            else:
                data, rest = rest[:size], rest[size:]
                values = numpy.array(strings_of(data)) if output["datatype"] == "BYTES" else numpy.frombuffer(
                    data, TYPES[output["datatype"]])
            tensors[output["name"]] = values.reshape(output["shape"])
        assert not rest
        return answer, tensors
