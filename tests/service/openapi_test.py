"""The description at /openapi.json is true: what it names is answered, what is answered it names."""

import base64
import json
import pathlib
import re
import subprocess
import unittest

from service import SERVER, ServiceTest

REPOSITORY = pathlib.Path(__file__).parents[2]
DOCUMENT = json.loads((REPOSITORY / "deploy/openapi.json").read_text())
ROUTES = [REPOSITORY / "apps/server/http" / name for name in ("routes.cpp", "admin_routes.cpp", "repository_routes.cpp",
                                                            "status_routes.cpp")]
METHODS = ("get", "post", "put", "delete", "patch")
OPERATIONS = {(method, path): operation for path, entry in DOCUMENT["paths"].items()
              for method, operation in entry.items() if method in METHODS}
STREAM = "/admin/models/{model}/streams/{stream}"


def looked_up(part):
    while "$ref" in part:
        target = DOCUMENT
        for word in part["$ref"].removeprefix("#/").split("/"):
            target = target[word]
        part = target
    return part


def faults(value, schema, place="answer"):
    """What in the value the schema does not say. An object has no other members than those it names."""
    schema = looked_up(schema)
    if value is None:
        return [] if schema.get("nullable") else [f"{place} is null"]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
    kind = schema.get("type")
    if kind and (not isinstance(value, kinds[kind]) or (kind in ("integer", "number") and isinstance(value, bool))):
        return [f"{place} is {value!r}, not of type {kind}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place} is {value!r}, not one of {schema['enum']}")
    if value != value or ("minimum" in schema and not schema["minimum"] <= value <= schema.get("maximum", value)):
        found.append(f"{place} is {value!r}, out of its range")
    if kind == "array":
        for i, element in enumerate(value):
            found += faults(element, schema["items"], f"{place}[{i}]")
    if kind == "object" and not schema.get("additionalProperties"):
        known = schema.get("properties", {})
        found += [f"{place} lacks {name}" for name in schema.get("required", []) if name not in value]
        for name, member in value.items():
            found += faults(member, known[name], f"{place}.{name}") if name in known else [f"{place}.{name} is not named"]
    return found


class OpenApi(ServiceTest):
    def answered(self, service, method, path, body=None, headers=None, query="", **names):
        """Asks, and holds the answer against what the file says of this operation."""
        operation = OPERATIONS[method, path]
        address = path.format(**{"model": "m", "stream": "s", "version": "1", "file": "none.js", **names}) + query
        content = json.dumps(body) if isinstance(body, (dict, list)) else body
        if path == "/events":
            return self.watched(service, operation, address)
        status, answered, data = service.send(method.upper(), address, content, headers)
        said = f"{method} {address}: {status} {data[:300]}"
        self.assertIn(str(status), operation["responses"], said)
        kinds = looked_up(operation["responses"][str(status)])["content"]
        self.assertIn(answered.get_content_type(), kinds, said)
        for name in looked_up(operation["responses"][str(status)]).get("headers", {}):
            if status >= 400:
                self.assertIn(name, answered, said)
        if answered.get_content_type() == "application/json":
            self.assertEqual(faults(json.loads(data), kinds["application/json"]["schema"]), [], said)
        self.asked.add((method, path))
        return status, data

    def watched(self, service, operation, address):
        """An answer without an end: its begin is looked at."""
        watcher = service.connect()
        watcher.request("GET", address, headers={"Authorization": f"Bearer {service.token}"} if service.token else {})
        events = watcher.getresponse()
        self.assertIn(str(events.status), operation["responses"])
        if events.status == 200:
            self.assertIn(events.headers.get_content_type(), operation["responses"]["200"]["content"])
            self.assertEqual(events.readline(), b"event: hello\n")
            hello = json.loads(events.readline().removeprefix(b"data: "))
            self.assertEqual(faults(hello, {"$ref": "#/components/schemas/Stream"}), [])
        self.asked.add(("get", "/events"))
        status = events.status
        watcher.close()
        return status, b""

    def rows(self, **more):
        return {"inputs": [{"name": "features", "shape": [8, 32], "datatype": "FP32", "data": self.features[:8].ravel().tolist()},
                           {"name": "ids", "shape": [8], "datatype": "INT64", "data": list(range(8))}],
                "parameters": {"sequence_id": "s"}, **more}

    def test_every_operation_is_answered_as_described(self):
        self.asked = set()
        labelled = f'[[model]]\nname = "labelled"\nsource = "{self.stream_file}"\nmethod = "stad-vmf"'
        service = self.serve(config='durability = "batch"', model=labelled)

        def ask(expected, method, path, *arguments, **keywords):
            status, data = self.answered(service, method, path, *arguments, **keywords)
            self.assertEqual(status, expected, f"{method} {path}: {data[:300]}")
            return data

        for base in ("/v2/models/{model}", "/v2/models/{model}/versions/{version}"):
            outputs = [{"name": name} for name in ("label", "probabilities", "source_label", "adapted_label")]
            ask(200, "post", base + "/infer", self.rows(id=base, outputs=outputs))
            ask(200, "post", base + "/infer", self.rows(parameters={"sequence_id": "s", "binary_data_output": True}))
            ask(400, "post", base + "/infer", {"inputs": []})
            ask(404, "post", base + "/infer", self.rows(), model="none")
            ask(200, "post", base + "/infer", self.rows(), model="labelled")
            labels = {"sequence_id": "s", "ids": [1, 99], "labels": [0, 0]}
            ask(200, "post", base + "/labels", labels, model="labelled")
            ask(400, "post", base + "/labels", labels)  # stad-safe takes none
            ask(400, "post", base + "/labels", {"ids": "1"})
            for deed in ("", "/config", "/ready", "/stats"):
                ask(200, "get", base + deed)
                ask(404, "get", base + deed, model="none")
        infer = "/v2/models/{model}/infer"
        ask(200, "post", infer, self.rows(), {"Idempotency-Key": "k"})
        ask(422, "post", infer, self.rows(parameters={"sequence_id": "s", "adapt": False}), {"Idempotency-Key": "k"})
        ask(400, "post", infer, self.rows(), {"Inference-Header-Content-Length": "x"})
        ask(413, "post", infer, {"inputs": [{"name": "features", "shape": [70000, 1], "datatype": "FP32", "data": []}]})
        ask(415, "post", infer, self.rows(), {"Content-Encoding": "br"})
        ask(200, "get", "/v2/models/stats")
        ask(200, "post", "/v2/repository/index", {"ready": True})
        ask(400, "post", "/v2/repository/index", {"ready": 1})
        repository = "/v2/repository/models/{model}"
        ask(200, "post", repository + "/unload", model="labelled")
        ask(200, "post", repository + "/load", model="labelled")
        ask(501, "post", repository + "/load", {"parameters": {"config": "{}"}})
        ask(404, "post", repository + "/load", model="none")
        ask(404, "post", repository + "/unload", model="none")
        for path in ("/v2", "/v2/health/live", "/v2/health/ready", "/", "/livez", "/readyz", "/metrics"):
            ask(200, "get", path)
        self.assertEqual(json.loads(ask(200, "get", "/v2"))["version"], DOCUMENT["info"]["version"])
        ask(404, "get", "/assets/{file}")
        page = ask(200, "get", "/").decode()
        files = re.findall(r'"\./assets/([^"]+)"', page)
        self.assertEqual(bool(files), "<html" in page)
        for file in files:
            ask(200, "get", "/assets/{file}", file=file)
        ask(200, "get", "/events", query="?model=m&stream=s")
        ask(404, "get", "/events", query="?model=m&stream=none")

        ask(200, "get", "/admin/models")
        head = base64.b64encode(pathlib.Path(self.stream_file).read_bytes()).decode()
        new = {"name": "new", "source_base64": head, "method": "stad-vmf", "options": {"kappa_trans": 500}, "mode": "shadow",
               "max_batch": 8, "max_delay": 0.5}
        ask(201, "post", "/admin/models", new)
        ask(409, "post", "/admin/models", new)
        ask(400, "post", "/admin/models", {"name": "bad"})
        ask(200, "put", "/admin/models/{model}/mode", {"mode": "frozen"}, model="new")
        ask(400, "put", "/admin/models/{model}/mode", {"mode": "idle"}, model="new")
        ask(200, "get", "/admin/models/{model}/streams", query="?limit=1")
        ask(400, "get", "/admin/models/{model}/streams", query="?limit=0")
        ask(200, "get", STREAM)
        ask(404, "get", STREAM, stream="none")
        number = json.loads(ask(201, "post", STREAM + "/snapshots", {"note": "now"}))["id"]
        ask(400, "post", STREAM + "/snapshots", {"note": 7})
        ask(200, "get", STREAM + "/snapshots")
        state = ask(200, "get", STREAM + "/state")
        ask(200, "put", STREAM + "/state", state, stream="other")
        ask(409, "put", STREAM + "/state", state, model="new")
        ask(400, "put", STREAM + "/state", b"nonsense")
        ask(200, "post", STREAM + "/rollback", {"snapshot": number})
        ask(404, "post", STREAM + "/rollback", {"snapshot": 999})
        ask(200, "post", STREAM + "/reset")
        ask(200, "get", "/admin/events", query="?model=m&limit=5")
        ask(201, "post", "/admin/backup")
        ask(200, "delete", STREAM)
        ask(200, "delete", "/admin/models/{model}", model="new")
        ask(404, "delete", "/admin/models/{model}", model="new")
        self.assertEqual(self.asked, set(OPERATIONS) - {("get", "/openapi.json")})

    def test_the_service_shows_it(self):
        self.asked = set()
        status, data = self.answered(self.serve("--data", ""), "get", "/openapi.json")
        self.assertEqual((status, json.loads(data)), (200, DOCUMENT))

    def test_methods_it_does_not_name_are_refused(self):
        service = self.serve("--data", "")
        for path, entry in DOCUMENT["paths"].items():
            for method in METHODS:
                if method in entry:
                    continue
                address = path.format(model="m", stream="s", version="1", file="x")
                with self.subTest(method=method, address=address):
                    status, _, data = service.send(method.upper(), address, "{}")
                    self.assertIn(status, (404, 405), data)

    def test_no_route_of_the_program_is_missing(self):
        """A route is told from others by comparing words; each of them must stand in a path or a method."""
        words = {word for path in DOCUMENT["paths"] for word in path.split("/")}
        words |= {method.upper() for method in METHODS} | set(DOCUMENT["components"]["parameters"]["Version"]["schema"]["enum"])
        compared = set()
        for source in ROUTES:
            compared |= set(re.findall(r'(?:[!=]= |starts_with\(|ends_with\()"([^"]*)"', source.read_text()))
        self.assertGreater(len(compared), 20)
        for literal in compared:
            for word in re.split("[/ ]", literal):
                self.assertIn(word, words, f'"{literal}" in the routes')
            if re.match("[A-Z]+ ", literal):  # what is done to a stream
                method, deed = literal.split(" ")
                self.assertIn((method.lower(), STREAM + (f"/{deed}" if deed else "")), OPERATIONS)

    def test_the_roles_are_those_it_names(self):
        tokens = {}
        for role in ("read", "infer", "admin"):
            made = subprocess.run([SERVER, "token", "--roles", role, "--name", role], capture_output=True, text=True, check=True)
            tokens[role] = made.stderr.split("shown once: ")[1].split()[0]
            with open(self.path("tokens.txt"), "a") as file:
                file.write(made.stdout)
        service = self.serve(config=f'tokens = "{self.path("tokens.txt")}"')
        for (method, path), operation in OPERATIONS.items():
            address = path.format(model="none", stream="s", version="1", file="x")
            needed = operation["x-role"]
            for role, token in [*tokens.items(), ("no token", None)]:
                with self.subTest(method=method, path=path, role=role):
                    if (method, path) == ("post", "/admin/backup") and role == "admin":
                        continue
                    connection = service.connect()
                    connection.request(method.upper(), address, "{}", {"Authorization": f"Bearer {token}"} if token else {})
                    status = connection.getresponse().status
                    connection.close()
                    allowed = needed == "none" or role in ("admin", needed)
                    self.assertEqual(status in (401, 403), not allowed, status)
            self.assertEqual(operation["security"], [] if needed == "none" else [{"token": []}])


if __name__ == "__main__":
    unittest.main()
