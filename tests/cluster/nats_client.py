"""As much of a NATS client as tests need: the protocol is text on a socket."""

import base64
import json
import socket


class NatsClient:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.file = self.socket.makefile("rb")
        self.info = json.loads(self.file.readline().split(b" ", 1)[1])
        self.write(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nSUB _INBOX.test 1\r\n')

    def close(self):
        self.file.close()
        self.socket.close()

    def write(self, data):
        self.socket.sendall(data)

    def publish(self, subject, payload=b"", headers=None, reply=""):
        if not headers:
            self.write(f"PUB {subject} {reply} {len(payload)}\r\n".encode() + payload + b"\r\n")
            return
        head = b"NATS/1.0\r\n" + b"".join(f"{key}: {value}\r\n".encode() for key, value in headers.items()) + b"\r\n"
        self.write(f"HPUB {subject} {reply} {len(head)} {len(head) + len(payload)}\r\n".encode() + head + payload + b"\r\n")

    def next(self):
        """Headers and payload of the next message."""
        while True:
            words = self.file.readline().split()
            if not words:
                raise ConnectionError("the server closed the connection")
            if words[0] == b"PING":
                self.write(b"PONG\r\n")
            if words[0] in (b"MSG", b"HMSG"):
                data = self.file.read(int(words[-1]) + 2)[:-2]
                head = data[:int(words[-2])] if words[0] == b"HMSG" else b""
                lines = head.decode().split("\r\n")[1:]
                return dict(line.split(": ", 1) for line in lines if ": " in line), data[len(head):]
            if words[0] == b"-ERR":
                raise ConnectionError(b" ".join(words).decode())

    def request(self, subject, payload=b"", headers=None):
        self.publish(subject, payload, headers, reply="_INBOX.test")
        return self.next()

    def keep(self, subject, payload=b"", headers=None):
        """Publishes to a stream; returns its acknowledgement."""
        return json.loads(self.request(subject, payload, headers)[1])

    def read(self, stream, **which):
        """A message of a stream, by seq=... or last_by_subj=...: sequence, headers and payload."""
        answer = json.loads(self.request(f"$JS.API.STREAM.MSG.GET.{stream}", json.dumps(which).encode())[1])
        if "error" in answer:
            raise KeyError(answer["error"]["description"])
        message = answer["message"]
        lines = base64.b64decode(message.get("hdrs", "")).decode().split("\r\n")[1:]
        return message["seq"], dict(line.split(": ", 1) for line in lines if ": " in line), base64.b64decode(message.get("data", ""))

    def messages(self, stream):
        """How many a stream has."""
        return self.state(stream)[0]

    def state(self, stream):
        """How many messages a stream has, and the sequence of the last it ever had."""
        state = self.manage("STREAM.INFO", stream)["state"]
        return state["messages"], state["last_seq"]

    def manage(self, what, stream, **wishes):
        """What JetStream answers to a request of its interface."""
        answer = json.loads(self.request(f"$JS.API.{what}.{stream}", json.dumps(wishes).encode() if wishes else b"")[1])
        if "error" in answer:
            raise KeyError(answer["error"]["description"])
        return answer
