"""A shutdown is announced, then drained, and resets no connection."""

import http.client
import json
import signal
import socket
import threading
import time
import unittest

from service import ServiceTest

PREDICTION = json.dumps({"inputs": [{"name": "features", "shape": [1, 32], "datatype": "FP32", "data": [1] * 32}]})


class Shutdown(ServiceTest):
    def send_until_closed(self, service, outcomes):
        """Sends over one connection until the service announces its end; records how the connection ended."""
        connection = service.connect()
        try:
            while True:
                connection.request("POST", "/v2/models/m/infer", PREDICTION)
                response = connection.getresponse()
                response.read()
                if response.status != 200:
                    outcomes.append(response.status)
                    return
                if response.headers.get("Connection") == "close":
                    outcomes.append("announced")
                    return
        except (OSError, http.client.HTTPException) as error:
            outcomes.append(type(error).__name__)
        finally:
            connection.close()

    def test_busy_connections_are_closed_with_a_response(self):
        for trial in range(3):
            with self.subTest(trial=trial):
                service = self.serve("--data", "")
                outcomes = []
                clients = [threading.Thread(target=self.send_until_closed, args=(service, outcomes)) for _ in range(24)]
                for client in clients:
                    client.start()
                time.sleep(0.2)
                service.process.send_signal(signal.SIGTERM)
                for client in clients:
                    client.join()
                self.assertEqual(outcomes, ["announced"] * 24)
                self.assertEqual(service.finish(), 0)

    def test_idle_connections_are_closed_without_a_reset(self):
        service = self.serve("--data", "", config="drain = 0.2")
        idle = []
        for _ in range(24):
            raw = socket.create_connection((service.address.hostname, service.address.port), timeout=10)
            raw.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertTrue(raw.recv(1000).startswith(b"HTTP/1.1 200"))
            idle.append(raw)
        service.process.send_signal(signal.SIGTERM)
        for raw in idle:
            self.assertEqual(raw.recv(1000), b"")  # closed, not reset
            raw.close()
        self.assertEqual(service.finish(), 0)

    def test_readiness_falls_before_connections_are_rejected(self):
        service = self.serve("--data", "", config="drain = 2")
        self.assertEqual(service.send("GET", "/readyz")[0], 200)
        service.process.send_signal(signal.SIGTERM)

        def answer(path):
            connection = service.connect()  # a new one: the service still accepts
            connection.request("GET", path)
            response = connection.getresponse()
            body = response.read().decode()
            connection.close()
            return response.status, response.headers.get("Connection"), body

        self.eventually(lambda: answer("/readyz")[0] == 503, seconds=1)
        status, connection, body = answer("/readyz")
        self.assertEqual((status, connection), (503, "close"))
        self.assertIn("shutting down", body)
        self.assertEqual(answer("/livez")[:2], (200, "close"))
        connection = service.connect()
        connection.request("POST", "/v2/models/m/infer", PREDICTION)
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        self.assertEqual(service.finish(), 0)

    def test_event_streams_end_with_the_service(self):
        service = self.serve("--data", "", config="drain = 0.1")
        service.infer("m", self.features[:8])
        watcher = service.connect()
        watcher.request("GET", "/events?model=m")
        events = watcher.getresponse()
        self.assertEqual(events.readline(), b"event: hello\n")
        begun = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        while events.readline():
            pass
        self.assertEqual(service.finish(), 0)
        self.assertLess(time.monotonic() - begun, 5)
        watcher.close()


if __name__ == "__main__":
    unittest.main()
