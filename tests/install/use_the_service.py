"""Starts the installed service, sends it one batch and stops it; prints one line on success."""

import json
import subprocess
import urllib.request

service = subprocess.Popen(["stad", "serve", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
try:
    address = json.loads(service.stderr.readline())["address"]
    tensor = {"name": "features", "shape": [2, 32], "datatype": "FP32", "data": [0.5] * 64}
    request = urllib.request.Request(f"{address}v2/models/demo/infer", json.dumps({"inputs": [tensor]}).encode())
    with urllib.request.urlopen(request) as answer:
        outputs = json.load(answer)["outputs"]
    with urllib.request.urlopen(address) as page:
        assert page.headers["Content-Type"].startswith("text/html"), "the page is not built in"
finally:
    service.terminate()
assert service.wait(timeout=30) == 0
print(f"the service predicted {outputs[0]['shape'][0]} rows and exited with 0")
