"""Nothing acknowledged is lost: every method on embeddings, under load, killed a hundred times."""

import concurrent.futures
import http.client
import itertools
import json
import threading
import time
import unittest

import numpy

from service import ServiceTest, run_command

KILLS = 100
CLIENTS = 2  # of each method
STREAMS = 3  # of each client
ROWS = (4, 1, 16, 2, 64, 8)  # of consecutive batches: some methods adapt to large batches only


def methods_on_embeddings():
    return [method["name"] for method in json.loads(run_command("methods", "--json"))["methods"]
            if not method["needs_network"]]


class Stream:
    """A stream of a model, its batches, and the acknowledged answers as bytes. Streams have different batches, so that
    an answer of another stream is detected."""

    def __init__(self, model, number, features):
        self.model = model
        self.name = f"s{number}"
        self.offset = 101 * number
        self.features = features
        self.answers = []

    def send(self, client, number):
        rows = ROWS[number % len(ROWS)]
        first = (self.offset + 37 * number) % (len(self.features) - rows)
        tensors, parameters = client.infer(self.model, self.features[first:first + rows], sequence_id=self.name,
                                           request_id=f"batch {number}")
        if parameters["batch"] != number + 1:
            raise AssertionError(f"{self.model} {self.name}: batch {parameters['batch']} instead of {number + 1}")
        return tensors["label"].tobytes() + tensors["probabilities"].tobytes()

    def ask(self, client, what=""):
        return client.ask("GET", f"/admin/models/{self.model}/streams/{self.name}{what}")


class Kills(ServiceTest):
    def test_every_acknowledged_batch_of_every_method_survives_a_hundred_kills(self):
        """Clients that repeat what was not acknowledged, while the service is killed under them, get the answers of a
        run that was never interrupted, bit for bit. All methods are models of one service: each kill concerns all."""
        methods = methods_on_embeddings()
        self.assertIn("stad-safe", methods)
        models = {method: method for method in methods}
        features = self.features[numpy.argsort(self.labels, kind="stable")]  # stad-safe adapts where labels persist
        groups = [[Stream(method, STREAMS * client + number, features) for number in range(STREAMS)]
                  for method in methods for client in range(CLIENTS)]
        streams = list(itertools.chain(*groups))
        service = self.serve(config='durability = "batch"', models=models)
        self.kill_under_load(service, groups)
        self.assertGreaterEqual(min(len(stream.answers) for stream in streams), KILLS // 2)
        for stream in streams:
            self.assertEqual(stream.ask(service)["batches"], len(stream.answers), f"{stream.model} {stream.name}")
        self.compare(service, self.serve("--data", "", models=models), streams)

    def kill_under_load(self, service, groups):
        """Three of four kills follow once each stream has a new answer; the fourth follows the start directly, while
        the streams are loaded."""
        streams = list(itertools.chain(*groups))
        over = threading.Event()
        random = numpy.random.default_rng(1)
        with concurrent.futures.ThreadPoolExecutor(len(groups)) as pool:
            clients = [pool.submit(self.send_until, over, service, group) for group in groups]
            try:
                for kill in range(KILLS):
                    if kill % 4 < 3:
                        before = [len(stream.answers) for stream in streams]
                        self.eventually(lambda: any(client.done() for client in clients) or
                                        all(len(stream.answers) > count for stream, count in zip(streams, before)))
                    time.sleep(0.1 * random.random())
                    service.kill()
                    service.start()
            finally:
                over.set()
            for client in clients:
                client.result()  # raises what the client has raised

    def send_until(self, over, service, streams):
        """One batch after another, each repeated until it is acknowledged, for up to a minute. The streams take turns."""
        client = service.client()
        for stream in itertools.cycle(streams):
            if over.is_set():
                break
            deadline = time.monotonic() + 60
            while True:
                try:
                    stream.answers.append(stream.send(client, len(stream.answers)))
                    break
                except (OSError, http.client.HTTPException):
                    client.connection.close()
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.002)
                    client = service.client()  # the address changes with each start
        client.connection.close()

    def compare(self, service, calm, streams):
        """Answers and final states with those of a service that is not interrupted."""
        def compare(stream):
            client = calm.client()
            for number, answer in enumerate(stream.answers):
                if stream.send(client, number) != answer:
                    raise AssertionError(f"{stream.model} {stream.name}: the answer to batch {number + 1} differs")
            client.connection.close()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(compare, streams))
        for stream in streams:
            self.assertTrue(stream.ask(calm, "/state") == stream.ask(service, "/state"),
                            f"{stream.model} {stream.name}: the state differs")


if __name__ == "__main__":
    unittest.main()
