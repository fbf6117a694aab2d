"""What is in deploy/ speaks of what the service really shows and takes."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import unittest
import urllib.request

from service import SERVER, Service, ServiceTest

try:
    import yaml
except ImportError:
    yaml = None

DEPLOY = pathlib.Path(__file__).parents[2] / "deploy"
CLUSTER = os.environ.get("STAD_CLUSTER")
NATS_SERVER = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")


def metrics_in(text):
    return {re.sub("_(bucket|sum|count)$", "", name) for name in re.findall(r"\bstad_[a-z_]+", text)}


class Deploy(ServiceTest):
    def test_board_and_alerts_name_metrics_that_are_shown(self):
        service = self.serve()
        service.infer("m", self.features[:512])  # enough for a warning level
        service.send("GET", "/livez")
        shown = set(re.findall("^# TYPE (stad_[a-z_]+)", service.send("GET", "/metrics")[2].decode(), re.MULTILINE))
        board = json.loads((DEPLOY / "grafana/board.json").read_text())
        expressions = [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]
        self.assertGreater(len(expressions), 15)
        queries = [variable["definition"] for variable in board["templating"]["list"] if "definition" in variable]
        drawn = metrics_in("\n".join(expressions + queries))
        self.assertLessEqual(drawn, shown)
        self.assertEqual(shown - drawn, set(), "shown by the service, not on the board")
        alerts = metrics_in((DEPLOY / "prometheus/alerts.yml").read_text())
        self.assertLessEqual({name for name in alerts if not name.startswith("stad_worker_")}, shown)

    def test_the_page_of_the_service_lists_every_metric(self):
        service = self.serve()
        service.infer("m", self.features[:512])  # enough for a warning level
        shown = set(re.findall("^# TYPE (stad_[a-z_]+)", service.send("GET", "/metrics")[2].decode(), re.MULTILINE))
        listed = set(re.findall(r"^\| `(stad_[a-z_]+)", (DEPLOY.parent / "docs/service.md").read_text(), re.MULTILINE))
        self.assertEqual(listed, shown)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not there (Debian's package prometheus)")
    def test_promtool_agrees_with_the_alerts(self):
        for words in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"],
                      ["check", "config", "--syntax-only", "scrape.yml"]):
            done = subprocess.run(["promtool", *words], cwd=DEPLOY / "prometheus", capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_example_configuration_names_every_setting(self):
        """As it is, and with everything that is commented out."""
        text = (DEPLOY / "stad.toml").read_text()
        for config in (text, re.sub(r"^#(?=[a-z_]+ = |\[)", "", text, flags=re.MULTILINE)):
            config = config.replace("/etc/stad/head.npz", self.stream_file)
            config = re.sub(r'^(tokens|certificate|key|network|image) = .*$', "", config, flags=re.MULTILINE)
            with open(self.path("example.toml"), "w") as file:
                file.write(config)
            service = Service("--config", self.path("example.toml"), "--data", self.path("example"))
            self.services.append(service)
            self.assertTrue(service.ask("GET", "/v2/health/ready")["ready"])
            self.assertEqual(service.stop(), 0)
        folder = DEPLOY.parent / "apps/serving/settings"
        settings, rest = (folder / "settings.cpp").read_text().split("\nvoid set_cluster_setting(")
        settings_of_cluster, rest = rest.split("\n}\n", 1)
        settings += rest + (folder / "model_settings.cpp").read_text()
        known = set(re.findall(r'(?:if \(name == |texts\(|table\.(?:text|integers?|number|flag|table)\()"([a-z_]+)"(?!\) return)', settings))
        text, cluster = text.split("#[cluster]\n")
        written = set(re.findall(r"^#?([a-z_]+) = ", text, re.MULTILINE))
        self.assertGreater(len(known), 20)
        self.assertEqual(known, written)
        known_of_cluster = set(re.findall(r'if \(name == "([a-z_]+)"', settings_of_cluster))
        self.assertEqual(known_of_cluster, set(re.findall(r"^#([a-z_]+) = ", cluster, re.MULTILINE)))
        page = (DEPLOY.parent / "docs/cluster.md").read_text()
        self.assertEqual(known_of_cluster, set(re.findall(r"^\| `([a-z_]+)` \|", page, re.MULTILINE)))
        page = (DEPLOY.parent / "docs/service.md").read_text()
        self.assertEqual(known, set(re.findall(r"^\| `(?!stad_)([a-z_]+)` \|", page, re.MULTILINE)))
        flags = subprocess.run([SERVER, "--help"], capture_output=True, text=True, check=True).stdout
        for flag in re.findall(r"^  (--[a-z-]+) TEXT", flags, re.MULTILINE):
            self.assertIn(f"`{flag}`", page)

    @unittest.skipUnless(shutil.which("curl"), "curl is not there")
    def test_the_examples_of_the_page_work_as_they_stand(self):
        """One after another against the demo, in the order of the page."""
        page = (DEPLOY.parent / "docs/service.md").read_text()
        service = Service()
        self.services.append(service)
        shutil.copy(self.stream_file, self.path("head.npz"))
        examples = 0
        for language, text in re.findall(r"^```(sh|python)\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
            text = text.replace("http://127.0.0.1:8080", service.address.geturl().rstrip("/"))
            text = text.replace("/etc/stad/head.npz", self.path("head.npz"))
            text = re.sub("^(stad serve|curl .*https:).*\n", "", text, flags=re.MULTILINE)
            examples += len(re.findall("^ *curl", text, re.MULTILINE))
            program = [sys.executable, "-c"] if language == "python" else ["bash", "-ec"]
            done = subprocess.run([*program, text.replace("curl -s", "curl -s --fail-with-body")], cwd=self.folder.name,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
        self.assertGreater(examples, 12)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def partitions_in(text):
    return set(map(int, re.findall(r"^[^#\n]*(?:partition\(|partitions = )(\d+)", text, re.MULTILINE)))


def manifests_in(name):
    return list(yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text()))


def manifest_in(name, kind):
    return next(one for one in manifests_in(name) if one["kind"] == kind)


@unittest.skipUnless(yaml, "python3-yaml is not there")
class DeployServer(ServiceTest):
    """The manifests for one service, by themselves and as a runtime of KServe. tests/install/image runs them."""

    def containers(self):
        return [manifest_in("stad-server.yaml", "StatefulSet")["spec"]["template"]["spec"]["containers"][0],
                manifest_in("stad-kserve.yaml", "ServingRuntime")["spec"]["containers"][0]]

    def test_the_service_accepts_settings_and_arguments(self):
        config = manifest_in("stad-server.yaml", "ConfigMap")["data"]["stad.toml"]
        known = (DEPLOY / "stad.toml").read_text()
        for name in re.findall(r"^([a-z_]+) = ", config, re.MULTILINE):
            self.assertRegex(known, f"(?m)^#?{name} = ")
        config = config.replace("/etc/stad/head.npz", self.stream_file).replace("/var/lib/stad/data", self.path("data"))
        config = re.sub("^(tokens|drain) = .*$", "", config, flags=re.MULTILINE)
        with open(self.path("stad.toml"), "w") as file:
            file.write(config)
        service = Service("--config", self.path("stad.toml"))
        self.services.append(service)
        self.assertEqual(service.ask("GET", "/v2/models/cameras")["name"], "cameras")
        explained = subprocess.run([SERVER, "--help"], capture_output=True, text=True, check=True).stdout
        for container in self.containers():
            for flag in filter(lambda word: word.startswith("--"), container["args"]):
                self.assertRegex(explained, f"(?m)^  {flag} ")
            for probe, path in (("startupProbe", "/livez"), ("livenessProbe", "/livez"), ("readinessProbe", "/readyz")):
                self.assertEqual(container[probe]["httpGet"]["path"], path)
                self.assertEqual(service.send("GET", path)[0], 200)

    def test_a_pod_has_the_time_that_a_shutdown_takes(self):
        config = manifest_in("stad-server.yaml", "ConfigMap")["data"]["stad.toml"]
        drain = int(re.search(r"^drain = (\d+)$", config, re.MULTILINE)[1])
        requests, states = 10, 60  # seconds, as docs/service.md has it, and ample for the states
        for spec in (manifest_in("stad-server.yaml", "StatefulSet")["spec"]["template"]["spec"],
                     manifest_in("stad-kserve.yaml", "InferenceService")["spec"]["predictor"]):
            self.assertGreaterEqual(spec["terminationGracePeriodSeconds"], drain + requests + states)

    def test_user_and_version_are_those_of_the_image(self):
        user = int(re.search(r"^user=(\d+)", (DEPLOY.parent / "scripts/build-image").read_text(), re.MULTILINE)[1])
        version = subprocess.run([SERVER, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        pod = manifest_in("stad-server.yaml", "StatefulSet")["spec"]["template"]["spec"]["securityContext"]
        predictor = manifest_in("stad-kserve.yaml", "InferenceService")["spec"]["predictor"]["securityContext"]
        self.assertEqual((pod["fsGroup"], predictor["fsGroup"]), (user, user))
        for container in self.containers():
            self.assertEqual(container["image"], f"stad-server:{version}")
            context = {**pod, **container["securityContext"]}
            self.assertEqual((context["runAsUser"], context["runAsGroup"], context["runAsNonRoot"]), (user, user, True))
            self.assertEqual((context["readOnlyRootFilesystem"], context["allowPrivilegeEscalation"]), (True, False))
            self.assertEqual((context["capabilities"], context["seccompProfile"]), ({"drop": ["ALL"]}, {"type": "RuntimeDefault"}))

    def test_names_that_manifests_refer_to_exist(self):
        service, stateful = (manifest_in("stad-server.yaml", kind) for kind in ("Service", "StatefulSet"))
        template, container = stateful["spec"]["template"], self.containers()[0]
        for selector in (service["spec"]["selector"], stateful["spec"]["selector"]["matchLabels"]):
            self.assertLessEqual(selector.items(), template["metadata"]["labels"].items())
        self.assertEqual((stateful["spec"]["serviceName"], stateful["spec"]["replicas"]), (service["metadata"]["name"], 1))
        self.assertEqual(service["spec"]["ports"][0]["targetPort"], container["ports"][0]["name"])
        volumes = template["spec"]["volumes"] + [claim["metadata"] for claim in stateful["spec"]["volumeClaimTemplates"]]
        self.assertEqual({one["name"] for one in volumes}, {one["name"] for one in container["volumeMounts"]})

        monitor = manifest_in("stad-monitor.yaml", "ServiceMonitor")["spec"]
        self.assertLessEqual(monitor["selector"]["matchLabels"].items(), service["metadata"]["labels"].items())
        self.assertEqual(monitor["endpoints"][0]["port"], service["spec"]["ports"][0]["name"])
        job = service["metadata"]["labels"][monitor["jobLabel"]]
        self.assertIn(f'up{{job="{job}"}}', (DEPLOY / "prometheus/alerts.yml").read_text())

        runtime, claim, inference = (manifest_in("stad-kserve.yaml", kind)
                                     for kind in ("ServingRuntime", "PersistentVolumeClaim", "InferenceService"))
        predictor = inference["spec"]["predictor"]
        self.assertEqual(predictor["model"]["runtime"], runtime["metadata"]["name"])
        self.assertEqual(predictor["model"]["modelFormat"]["name"], runtime["spec"]["supportedModelFormats"][0]["name"])
        self.assertIn(predictor["model"]["protocolVersion"], runtime["spec"]["protocolVersions"])
        self.assertEqual(predictor["volumes"][0]["persistentVolumeClaim"]["claimName"], claim["metadata"]["name"])
        volumes = runtime["spec"]["volumes"] + predictor["volumes"]
        self.assertEqual({one["name"] for one in volumes}, {one["name"] for one in self.containers()[1]["volumeMounts"]})
        self.assertEqual((predictor["maxReplicas"], predictor["deploymentStrategy"]["type"]), (1, "Recreate"))
        self.assertIn(f'#   name = "{inference["metadata"]["name"]}" ', (DEPLOY / "kubernetes/stad-kserve.yaml").read_text())


class DeployCluster(ServiceTest):
    """The same for workers and the NATS servers between them."""

    PASSWORDS = {f"STAD_{user.upper()}_PASSWORD": f"of-{user}" for user in ("publisher", "reader", "service", "worker")}

    def setUp(self):
        super().setUp()
        self.processes = []

    def tearDown(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(timeout=60)
        super().tearDown()

    def start(self, *command, log, environment=None):
        with open(self.path(log), "wb") as file:
            self.processes.append(subprocess.Popen(list(map(str, command)), stdout=file, stderr=file,
                                                   env={**os.environ, **(environment or {})}))

    def read(self, name):
        return pathlib.Path(self.path(name)).read_text()

    def write(self, name, text):
        pathlib.Path(self.path(name)).write_text(text)
        return self.path(name)

    def manifests(self):
        return manifests_in("stad-cluster.yaml")

    def manifest(self, kind, name):
        return next(one for one in self.manifests() if (one["kind"], one["metadata"]["name"]) == (kind, name))

    def whole_nats_conf(self):
        """With everything that is commented out, but for certificates, which are not here."""
        text = re.sub(r"^#(?=\S|  )", "", (DEPLOY / "nats/nats.conf").read_text(), flags=re.MULTILINE)
        return re.sub(r"^ *tls .*\n", "", text, flags=re.MULTILINE)

    def check_nats(self, text):
        path = self.write("nats.conf", text.replace("/var/lib/nats", self.path("nats")).replace("/data", self.path("nats")))
        done = subprocess.run([NATS_SERVER, "-t", "-c", path], capture_output=True, text=True,
                              env={**os.environ, **self.PASSWORDS, "POD_NAME": "stad-nats-0"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def run_cluster(self, *arguments):
        done = subprocess.run([CLUSTER, *map(str, arguments)], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    @unittest.skipUnless(NATS_SERVER, "nats-server is not there")
    def test_nats_server_takes_the_examples(self):
        self.check_nats((DEPLOY / "nats/nats.conf").read_text())
        self.check_nats(self.whole_nats_conf())
        if yaml:
            self.check_nats(self.manifest("ConfigMap", "stad-cluster")["data"]["nats.conf"])

    def test_the_number_of_partitions_is_the_same_everywhere(self):
        for file in ("nats/nats.conf", "kubernetes/stad-cluster.yaml"):
            self.assertEqual(partitions_in((DEPLOY / file).read_text()), {16}, file)
        self.assertIn("#partitions = 16\n", (DEPLOY / "stad.toml").read_text())
        self.assertIn("sum(stad_worker_partitions) < 16 ", (DEPLOY / "prometheus/alerts.yml").read_text())

    @unittest.skipUnless(CLUSTER and NATS_SERVER, "the cluster is not built, or nats-server is not there")
    def test_users_may_do_what_they_need_and_no_more(self):
        port, metrics = free_port(), free_port()
        config = self.whole_nats_conf().replace("127.0.0.1:4222", f"127.0.0.1:{port}").replace("/var/lib/nats", self.path("nats"))
        config = re.sub(r"^http: .*\n|^cluster \{\n(  .*\n)*\}\n", "", config, flags=re.MULTILINE)
        self.start(NATS_SERVER, "-c", self.write("nats.conf", config), log="nats.log", environment=self.PASSWORDS)
        address = lambda user: f"nats://{user}:of-{user}@127.0.0.1:{port}"
        self.write("stad.toml", f'[[model]]\nname = "m"\nsource = "{self.stream_file}"\nmethod = "stad-vmf"\n'
                   "[cluster]\ninterval = 0.1\nmax_entry = 3000\nsnapshot_every = 2\n")
        for _ in range(200):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        self.start(CLUSTER, "worker", "--config", self.path("stad.toml"), "--metrics", f"127.0.0.1:{metrics}", log="worker.log",
                   environment={"STAD_CLUSTER_NATS": address("worker")})
        publish = ("publish", self.stream_file, "--model", "m", "--stream", "s", "--nats")
        code, said = self.run_cluster(*publish, address("publisher"), "--patience", 30, "--json")
        self.assertEqual(code, 0, said)
        code, said = self.run_cluster("subscribe", "--nats", address("reader"), "--count", json.loads(said)["messages"], "--idle", 20)
        self.assertEqual(code, 0, said)
        code, said = self.run_cluster("cluster", "status", "--nats", address("reader"), "--json")
        self.assertEqual((code, json.loads(said)["results"]["messages"]), (0, 16), said)
        config = self.read("stad.toml").replace("[cluster]\n", f'cluster = true\n[cluster]\nnats = "{address("service")}"\n')
        service = Service("--config", self.write("service.toml", config), "--data", "")
        self.services.append(service)
        once, again = (service.infer("m", self.features[:8], sequence_id="t", request_id="one")[0]["label"] for _ in range(2))
        self.assertEqual(list(once), list(again))
        self.assertEqual(service.stop(), 0)
        page = urllib.request.urlopen(f"http://127.0.0.1:{metrics}/metrics").read().decode()
        shown = set(re.findall("^# TYPE (stad_[a-z_]+)", page, re.MULTILINE))
        alerts = metrics_in((DEPLOY / "prometheus/alerts.yml").read_text())
        self.assertLessEqual({name for name in alerts if name.startswith("stad_worker_")}, shown)
        self.processes[-1].terminate()
        self.assertEqual(self.processes[-1].wait(timeout=30), 0)
        self.assertNotIn("iolation", self.read("nats.log"))
        for words in ((*publish, address("reader"), "--patience", 1), ("cluster", "status", "--nats", address("publisher")),
                      ("cluster", "status", "--nats", f"nats://127.0.0.1:{port}")):
            self.assertNotEqual(self.run_cluster(*words)[0], 0, words)
        self.assertIn('Publish Violation - User "reader", Subject "stad.partition', self.read("nats.log"))

    @unittest.skipUnless(yaml, "python3-yaml is not there")
    def test_the_manifest_is_of_one_piece(self):
        """Labels that are selected are there, volumes, secrets and ports are those that are named."""
        manifests = self.manifests()
        self.assertEqual(len({(one["kind"], one["metadata"]["name"]) for one in manifests}), len(manifests))
        pods = {one["metadata"]["name"]: one["spec"]["template"] for one in manifests if one["kind"] in ("StatefulSet", "Deployment")}
        for one in manifests:
            selector = one.get("spec", {}).get("selector") or one.get("spec", {}).get("podSelector")
            if selector:
                wanted = selector.get("matchLabels", selector)
                self.assertLessEqual(wanted.items(), pods[one["metadata"]["name"]]["metadata"]["labels"].items())
        claims = {claim["metadata"]["name"] for claim in self.manifest("StatefulSet", "stad-nats")["spec"]["volumeClaimTemplates"]}
        for pod in pods.values():
            for container in pod["spec"]["containers"]:
                ports = {port["name"] for port in container["ports"]}
                for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                    for what in ("httpGet", "tcpSocket"):
                        self.assertLessEqual({container.get(probe, {}).get(what, {}).get("port", next(iter(ports)))}, ports)
                mounted = {mount["name"] for mount in container["volumeMounts"]}
                self.assertLessEqual(mounted, {volume["name"] for volume in pod["spec"]["volumes"]} | claims)
            for volume in pod["spec"]["volumes"]:
                for item in volume.get("configMap", {}).get("items", []):
                    self.assertIn(item["key"], self.manifest("ConfigMap", volume["configMap"]["name"])["data"])
        asked = re.findall(r"key: ([a-z]+)-password", (DEPLOY / "kubernetes/stad-cluster.yaml").read_text())
        self.assertEqual({f"STAD_{user.upper()}_PASSWORD" for user in asked}, set(self.PASSWORDS))
        users = re.compile(r"^ *\{ user: .*?^ *\} \}\n", re.MULTILINE | re.DOTALL)
        plain = lambda text: [re.sub(r"\s*#.*|\s+", "", user) for user in users.findall(text)]
        self.assertEqual(plain(self.manifest("ConfigMap", "stad-cluster")["data"]["nats.conf"]), plain(self.whole_nats_conf()))
        self.assertEqual(len(plain(self.whole_nats_conf())), 4)

    @unittest.skipUnless(CLUSTER and yaml, "the cluster is not built, or python3-yaml is not there")
    def test_workers_take_what_the_manifest_and_the_unit_give_them(self):
        spec = self.manifest("Deployment", "stad-worker")["spec"]["template"]
        worker = spec["spec"]["containers"][0]
        explained = self.run_cluster("worker", "--help")[1]
        self.assertEqual(worker["command"], ["/usr/bin/stad-cluster", "worker"])
        for flag in filter(lambda word: word.startswith("--"), worker["args"]):
            self.assertRegex(explained, f"(?m)^  {flag} ")
        variables = {**self.manifest("ConfigMap", "stad-worker")["data"], **{one["name"]: "" for one in worker["env"]}}
        unit = (DEPLOY / "systemd/stad-worker@.service").read_text()
        for variable in (set(variables) | set(re.findall(r"\bSTAD_[A-Z_]+", unit))) - set(self.PASSWORDS):
            self.assertIn(f"(Env:{variable})", explained)
        annotations = spec["metadata"]["annotations"]
        self.assertEqual(worker["args"][-1].rpartition(":")[2], annotations["prometheus.io/port"])
        config = self.manifest("ConfigMap", "stad-cluster")["data"]["stad.toml"]
        nowhere = ("--nats", "nats://127.0.0.1:1")
        code, said = self.run_cluster("cluster", "status", "--config", self.write("k.toml", config), *nowhere)
        self.assertEqual((code, "nats://127.0.0.1:1" in said), (1, True), said)
        servers = self.manifest("StatefulSet", "stad-nats")["spec"]["replicas"]
        self.assertIn(f"replicas = {servers}\n", config)
        for place in range(servers):
            self.assertIn(f"@stad-nats-{place}.stad-nats:4222", next(one["value"] for one in worker["env"] if one["name"] == "STAD_CLUSTER_NATS"))
        # Longer than the 15 seconds a worker takes to leave.
        self.assertGreater(spec["spec"]["terminationGracePeriodSeconds"], 30)
        self.assertGreater(int(re.search(r"TimeoutStopSec=(\d+)", unit)[1]), 30)
        self.assertIn("\nExecStart=/usr/bin/stad-cluster worker --config /etc/stad/stad.toml\n", unit)


if __name__ == "__main__":
    unittest.main()
