"""Clients that use gRPC get what clients of REST get."""

import os
import re
import signal
import subprocess
import threading
import time
import unittest

import grpc
import numpy

from grpc_client import GrpcClient, messages, parameters_of, request, tensors_of
from service import SERVER, Refused, ServiceTest

OUTPUTS = ("label", "probabilities", "source_label", "adapted_label")
CODES = {400: grpc.StatusCode.INVALID_ARGUMENT, 401: grpc.StatusCode.UNAUTHENTICATED,
         403: grpc.StatusCode.PERMISSION_DENIED, 404: grpc.StatusCode.NOT_FOUND,
         409: grpc.StatusCode.FAILED_PRECONDITION, 413: grpc.StatusCode.RESOURCE_EXHAUSTED,
         422: grpc.StatusCode.INVALID_ARGUMENT, 429: grpc.StatusCode.RESOURCE_EXHAUSTED,
         501: grpc.StatusCode.UNIMPLEMENTED, 503: grpc.StatusCode.UNAVAILABLE}


class Grpc(ServiceTest):
    def serve_both(self, *arguments, token=None, certificate=None, **keywords):
        """The service and a client of its gRPC port."""
        service = self.serve("--grpc-listen", "127.0.0.1:0", *arguments, token=token, **keywords)
        client = GrpcClient(service, token, certificate)
        self.addCleanup(client.channel.close)
        return service, client

    def make_tokens(self, **roles):
        tokens = {}
        with open(self.path("tokens.txt"), "w") as file:
            for name, grants in roles.items():
                made = subprocess.run([SERVER, "token", "--roles", grants, "--name", name], capture_output=True, text=True,
                                      check=True)
                tokens[name] = made.stderr.split("shown once: ")[1].split()[0]
                file.write(made.stdout)
        return tokens

    def rejected(self, status, words, action, *arguments, **keywords):
        with self.assertRaises(grpc.RpcError) as raised:
            action(*arguments, **keywords)
        self.assertEqual(raised.exception.code(), CODES[status], raised.exception)
        self.assertIn(words, raised.exception.details())
        return raised.exception.details()

    def test_describes_itself_as_rest_does(self):
        service, client = self.serve_both("--data", "")
        self.assertTrue(client.call("ServerLive", messages.ServerLiveRequest()).live)
        self.assertTrue(client.call("ServerReady", messages.ServerReadyRequest()).ready)
        self.assertTrue(client.call("ModelReady", messages.ModelReadyRequest(name="m", version="1")).ready)
        server = client.call("ServerMetadata", messages.ServerMetadataRequest())
        rest = service.ask("GET", "/v2")
        self.assertEqual((server.name, server.version, list(server.extensions)),
                         (rest["name"], rest["version"], rest["extensions"]))
        model = client.call("ModelMetadata", messages.ModelMetadataRequest(name="m"))
        rest = service.ask("GET", "/v2/models/m")
        self.assertEqual((model.name, list(model.versions), model.platform), (rest["name"], rest["versions"], rest["platform"]))
        for ours, theirs in ((model.inputs, rest["inputs"]), (model.outputs, rest["outputs"])):
            self.assertEqual([{"name": one.name, "datatype": one.datatype, "shape": list(one.shape)} for one in ours], theirs)
        self.rejected(404, "model 'x' not found; available: m", client.call, "ModelMetadata",
                      messages.ModelMetadataRequest(name="x"))
        self.rejected(404, "model m has no version '2', must be 1", client.call, "ModelReady",
                      messages.ModelReadyRequest(name="m", version="2"))
        self.rejected(404, "model m has no version '2', must be 1", client.call, "ModelInfer",
                      messages.ModelInferRequest(model_name="m", model_version="2"))
        unknown = client.channel.unary_unary("/inference.GRPCInferenceService/ModelConfig")
        with self.assertRaises(grpc.RpcError) as raised:
            unknown(b"")
        self.assertEqual(raised.exception.code(), grpc.StatusCode.UNIMPLEMENTED)

    def test_answers_are_byte_equal_to_those_of_rest(self):
        for method in ("stad-safe", "stad-vmf", "t3a"):
            with self.subTest(method=method):
                service, client = self.serve_both("--data", "", method=method)
                for batch in self.batches(16):
                    rest, parameters = service.infer("m", batch, sequence_id="rest", outputs=OUTPUTS)
                    response = client.infer("m", batch, sequence_id="grpc", outputs=OUTPUTS)
                    ours = tensors_of(response)
                    self.assertEqual([output.name for output in response.outputs], list(rest))
                    for name, values in rest.items():
                        self.assertEqual(ours[name].tobytes(), values.tobytes())
                        self.assertEqual((ours[name].dtype, ours[name].shape), (values.dtype, values.shape))
                    self.assertEqual(parameters_of(response), {**parameters, "sequence_id": "grpc"})

    def test_both_transports_continue_the_same_stream(self):
        service, client = self.serve_both("--data", "")
        batches = self.batches(8)
        alone = [service.infer("m", batch, sequence_id="alone")[0]["probabilities"] for batch in batches]
        for i, batch in enumerate(batches):
            mixed = (tensors_of(client.infer("m", batch, sequence_id=7)) if i % 2 else
                     service.infer("m", batch, sequence_id="7")[0])["probabilities"]
            self.assertEqual(mixed.tobytes(), alone[i].tobytes())

    def test_takes_every_form_of_the_same_rows(self):
        _, client = self.serve_both("--data", "")
        rows = self.features[:4].astype("<f2").astype("<f4")
        first = tensors_of(client.infer("m", rows, sequence_id="FP32"))["probabilities"]
        for form, keywords in {"FP64": {"datatype": "FP64"}, "FP16": {"datatype": "FP16"}, "typed32": {"typed": True},
                               "typed64": {"typed": True, "datatype": "FP64"},
                               "ids": {"ids": numpy.arange(4), "typed": True}}.items():
            with self.subTest(form=form):
                other = tensors_of(client.infer("m", rows, sequence_id=form, **keywords))["probabilities"]
                self.assertEqual(other.tobytes(), first.tobytes())

    def test_parameters_have_the_effects_of_rest(self):
        service, client = self.serve_both("--data", "")
        for batch in self.batches(3):
            client.infer("m", batch, sequence_id="s", time=3.5)
        self.assertEqual(parameters_of(client.infer("m", self.features[:4], sequence_id="s", adapt=False))["batch"], 3)
        self.assertEqual(parameters_of(client.infer("m", self.features[:4], sequence_id="s", sequence_start=True))["batch"], 1)
        client.infer("m", self.features[:4], sequence_id="s", sequence_end=True)
        self.refused(404, "stream s of m does not exist", service.ask, "GET", "/admin/models/m/streams/s")
        self.assertEqual(parameters_of(client.infer("m", self.features[:4], sequence_id=0))["sequence_id"], 0)
        large = request("m", self.features[:4])
        large.parameters["sequence_id"].uint64_param = 2**64 - 1
        self.assertEqual(parameters_of(client.call("ModelInfer", large))["sequence_id"], 2**64 - 1)

    def test_probabilities_can_be_requested_as_classes(self):
        _, client = self.serve_both("--data", "")
        message = request("m", self.features[:4], outputs=["probabilities"])
        message.outputs[0].parameters["classification"].int64_param = 2
        response = client.call("ModelInfer", message)
        self.assertEqual((response.outputs[0].datatype, list(response.outputs[0].shape)), ("BYTES", [4, 2]))
        size = int.from_bytes(response.raw_output_contents[0][:4], "little")
        self.assertRegex(response.raw_output_contents[0][4:4 + size].decode(), r"^[01]\.\d{6}:\d+")

    def test_errors_have_the_messages_of_rest(self):
        service, client = self.serve_both("--data", "", method="stad-vmf")
        rows = self.features[:4]
        tensor = {"name": "features", "shape": [4, 32], "datatype": "FP32"}
        data = {"data": rows.ravel().tolist()}
        cases = {
            "another name": ({"name": "x"}, {}, {}), "a shape": ({"shape": [4]}, {}, {}), "counts": ({"shape": [0, 32]}, {}, {}),
            "rows": ({"shape": [70000, 32]}, {}, {}), "values": ({"shape": [60000, 60000]}, {}, {}),
            "a datatype": ({"datatype": "BF16"}, {}, {}), "its datatype": ({"datatype": "INT64"}, {}, {}),
            "a reserved stream": ({}, {"sequence_id": "-"}, {}), "a long stream": ({}, {"sequence_id": "x" * 257}, {}),
            "a flag for a stream": ({}, {"sequence_id": True}, {}), "a negative stream": ({}, {"sequence_id": -1}, {}),
            "a text for a flag": ({}, {"sequence_start": "yes"}, {}), "a text for a time": ({}, {"time": "now"}, {}),
            "an output": ({}, {}, {"outputs": ["x"]}), "an output twice": ({}, {}, {"outputs": ["label", "label"]}),
            "an id": ({}, {}, {"id": "y" * 300}), "dimension": ({"shape": [8, 16]}, {}, {})}
        for name, (change, parameters, more) in cases.items():
            with self.subTest(case=name):
                outputs = [{"name": output} for output in more.get("outputs", [])]
                body = {"id": more.get("id", ""), "parameters": parameters, "inputs": [{**tensor, **data, **change}], "outputs": outputs}
                with self.assertRaises(Refused) as refused:
                    service.ask("POST", "/v2/models/m/infer", body)
                message = request("m", rows, outputs=more.get("outputs", ()), request_id=more.get("id", ""), **parameters)
                if "shape" in change:
                    del message.inputs[0].shape[:]
                    message.inputs[0].shape.extend(change["shape"])
                message.inputs[0].name = change.get("name", "features")
                message.inputs[0].datatype = change.get("datatype", "FP32")
                details = self.rejected(refused.exception.status, "", client.call, "ModelInfer", message)
                self.assertEqual(details, refused.exception.error)
        self.assertEqual(service.ask("GET", "/admin/models/m/streams")["streams"], [], "a rejected request has no effect")

    def test_errors_of_its_own_encoding_name_the_field(self):
        _, client = self.serve_both("--data", "")
        message = request("m", self.features[:4])
        message.raw_input_contents[0] = message.raw_input_contents[0][:-1]
        self.rejected(400, "raw_input_contents[0] has 511 bytes, must have 512: the shape is [4, 32] of FP32", client.call,
                      "ModelInfer", message)
        message = request("m", self.features[:4])
        message.raw_input_contents.append(b"")
        self.rejected(400, "raw_input_contents has 2 elements, must have one for each of the 1 inputs", client.call,
                      "ModelInfer", message)
        message = request("m", self.features[:4])
        message.inputs[0].contents.fp32_contents.append(1)
        self.rejected(400, "contents are given beside raw_input_contents", client.call, "ModelInfer", message)
        message = request("m", self.features[:4], typed=True)
        message.inputs[0].datatype = "FP16"
        self.rejected(400, "have no field for FP16", client.call, "ModelInfer", message)
        raw = client.channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        self.rejected(400, "not a ModelInferRequest", raw, b"\xff\xff\xff")
        self.rejected(400, "a request is missing", client.channel.stream_unary("/inference.GRPCInferenceService/ModelInfer"),
                      iter([]))

    def test_a_repeated_request_gets_the_stored_response(self):
        service, client = self.serve_both(config='durability = "batch"')
        first = client.infer("m", self.features[:4], sequence_id="s", request_id="one")
        self.assertEqual(client.infer("m", self.features[:4], sequence_id="s", request_id="one"), first)
        key = [("idempotency-key", "k")]
        second = client.infer("m", self.features[4:8], sequence_id="s", metadata=key)
        self.assertEqual(client.infer("m", self.features[4:8], sequence_id="s", metadata=key), second)
        self.assertEqual(parameters_of(second)["batch"], 2)
        self.rejected(422, "k", client.infer, "m", self.features[:4], sequence_id="s", metadata=key)
        service.kill()
        service.start()
        again = GrpcClient(service)
        self.addCleanup(again.channel.close)
        self.assertEqual(again.infer("m", self.features[4:8], sequence_id="s", metadata=key), second)
        # A response stored for gRPC is not sent over REST.
        self.refused(422, "k", service.infer, "m", self.features[4:8], sequence_id="s", headers={"Idempotency-Key": "k"})
        _, parameters = service.infer("m", self.features[:4], sequence_id="s", request_id="one")
        self.assertEqual(parameters["batch"], 3)

    def test_a_stream_call_answers_in_order_and_survives_errors(self):
        service, client = self.serve_both("--data", "")
        rows = [self.features[i % 64:i % 64 + 1] for i in range(1000)]

        def requests():
            for i, row in enumerate(rows):
                yield request("x" if i % 100 == 50 else "m", row, sequence_id="s", request_id=f"r{i}")

        batches = 0
        answers = list(client.stream(requests()))
        self.assertEqual(len(answers), 1000)
        for i, answer in enumerate(answers):
            self.assertEqual(answer.infer_response.id, f"r{i}")
            if i % 100 == 50:
                self.assertEqual(answer.error_message, "model 'x' not found; available: m")
                continue
            batches += 1
            self.assertEqual((answer.error_message, parameters_of(answer.infer_response)["batch"]), ("", batches))
        last = service.infer("m", rows[0], sequence_id="s", adapt=False)[1]
        self.assertEqual(last["batch"], 990)

    def test_tokens_hold_for_both(self):
        tokens = self.make_tokens(reader="read", writer="infer", scoped="infer:m/team-", root="admin")
        service, _ = self.serve_both(config=f'tokens = "{self.path("tokens.txt")}"')
        none, wrong = GrpcClient(service), GrpcClient(service, "stad_" + "0" * 48)
        reader, writer, scoped, root = (GrpcClient(service, tokens[name]) for name in ("reader", "writer", "scoped", "root"))
        for client in (none, wrong, reader, writer, scoped, root):
            self.addCleanup(client.channel.close)
        rows = self.features[:4]
        self.assertTrue(none.call("ServerLive", messages.ServerLiveRequest()).live)
        self.assertTrue(none.call("ServerReady", messages.ServerReadyRequest()).ready)
        for method, message in (("ModelInfer", request("m", rows)), ("ServerMetadata", messages.ServerMetadataRequest())):
            self.rejected(401, "token required", none.call, method, message)
            self.rejected(401, "unknown token", wrong.call, method, message)
        self.rejected(401, "unknown token", list, wrong.stream([request("m", rows)]))
        self.rejected(403, "token reader not allowed", reader.infer, "m", rows)
        self.rejected(403, "token writer not allowed", writer.call, "ModelMetadata", messages.ModelMetadataRequest(name="m"))
        self.assertEqual(reader.call("ModelMetadata", messages.ModelMetadataRequest(name="m")).name, "m")
        scoped.infer("m", rows, sequence_id="team-a")
        self.rejected(403, "token scoped lacks the role infer for model m, stream 'other'", scoped.infer, "m", rows,
                      sequence_id="other")
        self.rejected(403, "requires the role end", scoped.infer, "m", rows, sequence_id="team-a", sequence_end=True)
        answers = list(scoped.stream([request("m", rows, sequence_id=name) for name in ("other", "team-a")]))
        self.assertIn("lacks the role infer", answers[0].error_message)
        self.assertEqual(answers[1].error_message, "")
        root.infer("m", rows, sequence_id="team-a", sequence_end=True)

    @unittest.skipUnless(os.environ.get("STAD_CLUSTER"), "built without the cluster")
    def test_models_of_a_cluster_are_left_to_rest(self):
        _, client = self.serve_both("--data", "", config="", model='cluster = true\n[cluster]\nnats = "nats://127.0.0.1:1"')
        self.rejected(501, "gRPC does not support", client.infer, "m", self.features[:4])

    def test_a_foreign_host_is_rejected_without_tokens(self):
        service, _ = self.serve_both("--data", "")
        address = next(line["grpc"] for line in service.log if line["message"] == "serving gRPC")
        channel = grpc.insecure_channel(address, [("grpc.default_authority", "evil.example")])
        self.addCleanup(channel.close)
        self.rejected(403, "Host is 'evil.example'", channel.unary_unary("/inference.GRPCInferenceService/ServerLive"), b"")

    def test_other_addresses_require_tokens_and_a_known_form(self):
        for address, words in (("0.0.0.0:0", "tokens are required"), ("nowhere", "must be ADDRESS:PORT"),
                               ("name:1", "must be an address and a port")):
            ended = subprocess.run([SERVER, "--listen", "127.0.0.1:0", "--grpc-listen", address], capture_output=True, text=True,
                                   timeout=60)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(words, ended.stderr)

    def test_a_port_is_not_shared(self):
        service, _ = self.serve_both("--data", "")
        address = next(line["grpc"] for line in service.log if line["message"] == "serving gRPC")
        ended = subprocess.run([SERVER, "--listen", "127.0.0.1:0", "--grpc-listen", address], capture_output=True, text=True,
                               timeout=60)
        self.assertEqual(ended.returncode, 1)
        self.assertIn(f"cannot listen on {address} for gRPC", ended.stderr)

    def test_uses_the_certificate(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.path("key.pem"), "-out",
                        self.path("certificate.pem")], capture_output=True, check=True)
        service, client = self.serve_both("--certificate", self.path("certificate.pem"), "--key", self.path("key.pem"),
                                          certificate=self.path("certificate.pem"))
        self.assertEqual(parameters_of(client.infer("m", self.features[:4]))["batch"], 1)
        plain = GrpcClient(service)
        self.addCleanup(plain.channel.close)
        self.rejected(503, "", plain.call, "ServerLive", messages.ServerLiveRequest())

    def test_limits_the_size_and_the_form_of_messages(self):
        service, client = self.serve_both("--data", "", "--max-body", "100 KB")
        self.rejected(413, "larger than max", client.infer, "m", numpy.zeros((1000, 32), "f4"))
        self.assertEqual(parameters_of(client.infer("m", self.features[:4]))["batch"], 1)
        compressed = client.channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        with self.assertRaises(grpc.RpcError) as raised:
            compressed(bytes(100_000), compression=grpc.Compression.Gzip)
        self.assertIn(raised.exception.code(), (grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.INTERNAL))

    def open_stream(self, client):
        """The responses of a stream call whose first request is answered and that waits, and the event that ends it."""
        release = threading.Event()

        def requests():
            yield request("m", self.features[:1])
            release.wait(30)

        answers = client.stream(requests())
        self.assertEqual(next(answers).error_message, "")
        return answers, release

    def test_ends_calls_that_send_nothing(self):
        _, client = self.serve_both("--data", "", config="request_timeout = 1\nidle_timeout = 2")
        answers, release = self.open_stream(client)
        with self.assertRaises(grpc.RpcError) as raised:
            next(answers)
        release.set()
        self.assertEqual(raised.exception.code(), grpc.StatusCode.DEADLINE_EXCEEDED)
        self.assertIn("no request within 2 seconds", raised.exception.details())

    def test_counts_requests(self):
        service, client = self.serve_both("--data", "")
        for _ in range(3):
            client.infer("m", self.features[:4])
        list(client.stream([request("m", self.features[:4])] * 2))
        self.rejected(404, "", client.infer, "x", self.features[:4])
        client.call("ServerLive", messages.ServerLiveRequest())
        text = service.ask("GET", "/metrics").decode()
        for route, status, count in (("grpc-infer", 200, 3), ("grpc-stream", 200, 2), ("grpc-infer", 404, 1),
                                     ("grpc-health", 200, 1)):
            self.assertRegex(text, rf'stad_requests_total{{route="{route}",status="{status}"}} {count}\n')
        self.assertEqual(re.search(r'stad_adapt_steps_total{model="m"} (\d+)', text)[1], "5")

    def test_a_shutdown_is_announced_and_drained(self):
        service, client = self.serve_both("--data", "", config="drain = 2")
        answers, release = self.open_stream(client)
        service.process.send_signal(signal.SIGTERM)
        self.eventually(lambda: not client.call("ServerReady", messages.ServerReadyRequest()).ready, seconds=1)
        client.infer("m", self.features[:4])  # requests are answered while the service drains
        begun = time.monotonic()
        with self.assertRaises(grpc.RpcError) as raised:
            next(answers)
        release.set()
        self.assertEqual(raised.exception.code(), grpc.StatusCode.UNAVAILABLE)
        self.assertIn("shutting down", raised.exception.details())
        self.assertEqual(service.finish(), 0)
        self.assertLess(time.monotonic() - begun, 8)


if __name__ == "__main__":
    unittest.main()
