#!/usr/bin/env python3
"""Runs every snippet of README.md as it stands, in order, in one folder.

Environment: STAD_BUILD, the build folder; CXX, the compiler; STAD_SERVER, the service, or empty."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["STAD_BUILD"])


def snippets(language):
    text = (ROOT / "README.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.S | re.M)


class Readme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        (cls.folder / "build").symlink_to(BUILD)
        cls.shell(next(text for text in snippets("sh") if "stad simulate" in text))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def shell(cls, text):
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", text], cwd=cls.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        if done.returncode != 0:
            raise AssertionError(f"{text}\nexit code {done.returncode}: {done.stdout}")
        return done.stdout

    def test_names_only_targets_that_exist(self):
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
        named = set(re.findall(r"\bmake ([a-z][a-z-]+)", (ROOT / "README.md").read_text())) - {"a"}
        self.assertTrue(named)
        self.assertEqual(set(), named - targets)

    def test_shell_snippet_writes_answers_and_state(self):
        for name in ("stream.npz", "answers.npz", "monday.state"):
            self.assertTrue((self.folder / name).is_file(), name)

    def test_python_snippet_runs(self):
        for text in snippets("python"):
            environment = dict(os.environ, PYTHONPATH=str(BUILD / "python"))
            done = subprocess.run([sys.executable, "-c", text], cwd=self.folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
            self.assertEqual(0, done.returncode, done.stdout)

    def test_cpp_snippet_compiles_and_runs(self):
        for text in snippets("cpp"):
            source, program = self.folder / "snippet.cpp", self.folder / "snippet"
            source.write_text(text)
            subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", f"-I{ROOT / 'include'}",
                            f"-I{BUILD / 'include'}", str(source), f"-L{BUILD / 'lib'}", "-lstad",
                            f"-Wl,-rpath,{BUILD / 'lib'}", "-o", str(program)], check=True)
            self.assertIn("first label:", self.shell(str(program)))

    @unittest.skipUnless(os.environ.get("STAD_SERVER"), "the service is not built")
    def test_service_snippet_is_answered(self):
        text = next(text for text in snippets("sh") if text.startswith("curl"))
        server = subprocess.Popen([os.environ["STAD_SERVER"], "--listen", "127.0.0.1:0"], cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            address = self.address_of(server)
            # The port of the snippet is the default one, which another program of this machine may have.
            self.assertIn('"outputs"', self.shell(text.replace("127.0.0.1:8080", address)))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)

    def address_of(self, server):
        deadline = time.monotonic() + 30
        for line in server.stdout:
            if found := re.search(r"127\.0\.0\.1:\d+", line):
                urllib.request.urlopen(f"http://{found[0]}/v2/health/ready", timeout=10)
                return found[0]
            self.assertLess(time.monotonic(), deadline)
        self.fail("the service ended")


if __name__ == "__main__":
    unittest.main()
