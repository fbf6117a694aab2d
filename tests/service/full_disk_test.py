"""A disk that is filled and emptied while clients send: what was refused is not learned, what was acknowledged is."""

import collections
import concurrent.futures
import ctypes
import errno
import itertools
import os
import tempfile
import threading
import time
import unittest

import numpy

from service import Refused, ServiceTest

METHODS = ("stad-safe", "stad-vmf", "normalise")
CLIENTS = 2  # of each method
FILLS = 10
SHARED = "shared"  # the stream of a model to which all of its clients send
BATCHES = 40  # of a client to a stream of its own; then it begins the next one, so that the database grows
LIBC = ctypes.CDLL(None, use_errno=True)

Batch = collections.namedtuple("Batch", "first rows")
Acknowledged = collections.namedtuple("Acknowledged", "number batch answer")  # number: that of the stream's batches


class SmallDisk:
    """A file system in memory of its own, mounted in a new folder. Raises OSError where mounting is not permitted."""

    def __init__(self, megabytes):
        self.folder = tempfile.mkdtemp(prefix="stad-disk-")
        options = f"size={megabytes}m,mode=0700".encode()
        if LIBC.mount(b"tmpfs", self.folder.encode(), b"tmpfs", 0, options) != 0:
            os.rmdir(self.folder)
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self.ballast = os.path.join(self.folder, "ballast")

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                try:
                    while file.write(b"x" * size) == size:
                        pass
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def empty(self):
        os.remove(self.ballast)

    def unmount(self):
        if LIBC.umount(self.folder.encode()) != 0:
            raise OSError(ctypes.get_errno(), f"{self.folder}: {os.strerror(ctypes.get_errno())}")
        os.rmdir(self.folder)


def answer_bytes(tensors):
    return tensors["label"].tobytes() + tensors["probabilities"].tobytes()


class Client:
    """Sends to a stream of its own and to the shared stream in turn. Every other pair of batches is repeated until it
    is acknowledged, with a request id; the others are sent once."""

    def __init__(self, model, number, features):
        self.model = model
        self.number = number
        self.features = features
        self.acknowledged = []  # pairs of a stream and an Acknowledged
        self.refused = 0

    def send_until(self, over, service):
        client = service.client()
        for number in itertools.count():
            if over.is_set():
                break
            stream = SHARED if number % 2 else f"{self.number}-{number // (2 * BATCHES)}"
            rows = (4, 16, 1, 8, 32)[number % 5]
            batch = Batch((211 * self.number + 37 * number) % (len(self.features) - rows), rows)
            is_repeated = number % 4 < 2
            while not self.send(client, stream, batch, f"{self.number} {number}" if is_repeated else None):
                if over.is_set() or not is_repeated:
                    break
        client.connection.close()

    def send(self, client, stream, batch, request_id):
        """Whether it was acknowledged."""
        rows = self.features[batch.first:batch.first + batch.rows]
        try:
            tensors, parameters = client.infer(self.model, rows, sequence_id=stream, request_id=request_id)
        except Refused as refused:
            if refused.status != 503:
                raise
            self.refused += 1
            time.sleep(0.002)
            return False
        self.acknowledged.append((stream, Acknowledged(parameters["batch"], batch, answer_bytes(tensors))))
        return True


class FullDisk(ServiceTest):
    def setUp(self):
        super().setUp()
        try:
            self.disk = SmallDisk(megabytes=128)
        except OSError as error:
            super().tearDown()
            self.skipTest(f"a small disk cannot be mounted: {error.strerror}; run this test as root")
        self.addCleanup(self.disk.unmount)  # after the services have ended
        order = numpy.argsort(self.labels, kind="stable")  # stad-safe adapts where labels persist
        self.features = self.features[order]

    def test_what_a_disk_refuses_during_a_run_is_not_learned(self):
        """Answers, states and later answers are, bit for bit, those of a service that was given the acknowledged
        batches only, in their order, also after a kill and a start on the full disk."""
        models = {method: method for method in METHODS}
        service = self.serve("--data", self.disk.folder, config='durability = "batch"\nmin_free = 0', models=models)
        clients = [Client(model, number, self.features) for model in METHODS for number in range(CLIENTS)]
        self.fill_and_empty_under_load(service, clients)
        self.assertGreaterEqual(min(client.refused for client in clients), 10 * FILLS)
        service.kill()
        service.start()
        self.disk.empty()
        self.eventually(lambda: service.send("GET", "/readyz")[0] == 200)

        calm = self.serve("--data", "", models=models)
        streams = collections.defaultdict(list)
        for client in clients:
            for stream, acknowledged in client.acknowledged:
                streams[client.model, stream].append(acknowledged)
        for (model, stream), acknowledged in streams.items():
            self.compare(service, calm, model, stream, sorted(acknowledged))

    def fill_and_empty_under_load(self, service, clients):
        """The disk is full at the end."""
        over = threading.Event()
        random = numpy.random.default_rng(1)
        with concurrent.futures.ThreadPoolExecutor(len(clients)) as pool:
            running = [pool.submit(client.send_until, over, service) for client in clients]

            def wait_for_all(count):
                """Until each client has ten more of what `count` counts, or one has failed."""
                before = [count(client) for client in clients]
                self.eventually(lambda: any(future.done() for future in running) or
                                all(count(client) >= 10 + least for client, least in zip(clients, before)))

            try:
                for fill in range(FILLS):
                    wait_for_all(lambda client: len(client.acknowledged))
                    time.sleep(0.2 * random.random())
                    self.disk.fill()
                    wait_for_all(lambda client: client.refused)
                    if fill + 1 < FILLS:
                        self.disk.empty()
                        self.eventually(lambda: service.send("GET", "/readyz")[0] == 200)
            finally:
                over.set()
            for future in running:
                future.result()  # raises what the client has raised

    def compare(self, service, calm, model, stream, acknowledged):
        name = f"{model} {stream}"
        path = f"/admin/models/{model}/streams/{stream}"
        self.assertEqual([entry.number for entry in acknowledged], list(range(1, len(acknowledged) + 1)), name)
        self.assertEqual(service.ask("GET", path)["batches"], len(acknowledged), name)
        for entry in acknowledged:
            rows = self.features[entry.batch.first:entry.batch.first + entry.batch.rows]
            tensors, _ = calm.infer(model, rows, sequence_id=stream)
            self.assertTrue(answer_bytes(tensors) == entry.answer, f"{name}: answer {entry.number} differs")
        states = [each.ask("GET", f"{path}/state") for each in (service, calm)]
        self.assertTrue(states[0] == states[1], f"{name}: the state differs")
        for batch in self.batches(3):
            answers = [answer_bytes(each.infer(model, batch, sequence_id=stream)[0]) for each in (service, calm)]
            self.assertTrue(answers[0] == answers[1], f"{name}: a later answer differs")


if __name__ == "__main__":
    unittest.main()
