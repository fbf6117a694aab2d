"""A client of the gRPC interface by Debian's python3-grpcio, with stubs that the build generates (STAD_GRPC_STUBS)."""

import os
import sys

import grpc
import numpy

from service import TYPES

sys.path.insert(0, os.environ["STAD_GRPC_STUBS"])
import open_inference_pb2 as messages  # noqa: E402
import open_inference_pb2_grpc as stubs  # noqa: E402


def request(model, features, datatype="FP32", outputs=(), request_id="", typed=False, ids=None, **parameters):
    """A ModelInferRequest with raw contents, or with typed ones."""
    message = messages.ModelInferRequest(model_name=model, id=request_id)
    for name, value in parameters.items():
        field = {bool: "bool_param", int: "int64_param", str: "string_param", float: "double_param"}[type(value)]
        setattr(message.parameters[name], field, value)
    tensors = [("features" if features.ndim == 2 else "images", features, datatype)]
    if ids is not None:
        tensors.append(("ids", ids, "INT64"))
    for name, values, kind in tensors:
        values = numpy.ascontiguousarray(values, TYPES[kind])
        tensor = message.inputs.add(name=name, datatype=kind, shape=values.shape)
        if typed:
            getattr(tensor.contents, kind.lower() + "_contents").extend(values.ravel().tolist())
        else:
            message.raw_input_contents.append(values.tobytes())
    for name in outputs:
        message.outputs.add(name=name)
    return message


def tensors_of(response):
    assert len(response.outputs) == len(response.raw_output_contents)
    return {output.name: numpy.frombuffer(content, TYPES[output.datatype]).reshape(output.shape)
            for output, content in zip(response.outputs, response.raw_output_contents)}


def parameters_of(response):
    return {name: getattr(value, value.WhichOneof("parameter_choice")) for name, value in response.parameters.items()}


class GrpcClient:
    def __init__(self, service, token=None, certificate=None):
        address = next(line["grpc"] for line in service.log if line["message"] == "serving gRPC")
        options = [("grpc.max_receive_message_length", -1), ("grpc.use_local_subchannel_pool", 1)]
        if certificate:
            with open(certificate, "rb") as file:
                self.channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(file.read()), options)
        else:
            self.channel = grpc.insecure_channel(address, options)
        self.stub = stubs.GRPCInferenceServiceStub(self.channel)
        self.metadata = [("authorization", f"Bearer {token}")] if token else []

    def call(self, method, message, metadata=()):
        return getattr(self.stub, method)(message, metadata=[*self.metadata, *metadata], timeout=60)

    def infer(self, *arguments, metadata=(), **keywords):
        return self.call("ModelInfer", request(*arguments, **keywords), metadata)

    def stream(self, requests):
        return self.stub.ModelStreamInfer(iter(requests), metadata=self.metadata, timeout=120)
