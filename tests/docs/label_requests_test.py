#!/usr/bin/env python3
"""Runs the snippets of the section "Label requests" of docs/python.md and docs/c.md, and all of docs/labels.md, as they
stand.

Environment: STAD_BUILD, the build folder; CC, the C compiler; STAD_PYTHON, ON if the Python package is built."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["STAD_BUILD"])

# What the reader of docs/c.md has: a head, and labels of its rows.
PREFIX = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stad/stad.h>

static int64_t label_of(int64_t id) { return id % 2; }
"""
# Two clusters whose centres rotate away from the head.
PROGRAM = """
static double noise(void) { return 0.6 * ((double)rand() + rand() + rand()) / RAND_MAX - 0.9; }

static void draw(int batch, float* features, int64_t* ids) {
  for (int n = 0; n < 64; ++n) {
    ids[n] = 64 * batch + n;
    for (int d = 0; d < 8; ++d) features[8 * n + d] = (float)noise();
    features[8 * n + label_of(ids[n])] += (float)cos(0.015 * batch);
    features[8 * n + 2 + label_of(ids[n])] += (float)sin(0.015 * batch);
  }
}

int main(void) {
  const float weight[2 * 8] = {4, 0, 0, 0, 0, 0, 0, 0, 0, 4};
  float features[64 * 8];
  int64_t ids[64], labels[64];
  stad_source* source = NULL;
  stad_adapter* adapter = NULL;
  if (stad_source_create(weight, NULL, NULL, 2, 8, &source) || create_labelled(source, &adapter)) return 1;
  for (int batch = 0; batch < 100; ++batch) {
    draw(batch, features, ids);
    const stad_batch rows = {.features = features, .rows = 64, .ids = ids};
    if (adapt_and_label(adapter, &rows, labels)) return 1;
  }
  print_candidates(adapter);
  stad_adapter_free(adapter);
  stad_source_free(source);
  return 0;
}
"""


def snippets(page, language):
    text = (ROOT / "docs" / page).read_text()
    section = re.search(r"^## Label requests\n(.*?)(?=^## |\Z)", text, re.S | re.M)[1]
    found = re.findall(rf"^```{language}\n(.*?)^```$", section, re.S | re.M)
    assert found, f"{page}: no snippets"
    return found


def run(command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}\nexit code {done.returncode}: {done.stdout}")
    return done.stdout


class LabelRequests(unittest.TestCase):
    @unittest.skipUnless(os.environ.get("STAD_PYTHON") == "ON", "the Python package is not built")
    def test_python_snippets_run_and_print_what_they_state(self):
        text = "\n".join(snippets("python.md", "python")) + "\nassert report['late_labels']['used'] > 0\n"
        output = run([sys.executable, "-c", text], env=dict(os.environ, PYTHONPATH=str(BUILD / "python")))
        self.assertEqual(re.search(r"# prints (.*)", text)[1], output.strip())

    def test_c_snippets_compile_and_run(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "snippet.c"), pathlib.Path(folder, "snippet")
            source.write_text(PREFIX + "\n".join(snippets("c.md", "c")) + PROGRAM)
            run([os.environ.get("CC", "cc"), "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic",
                 f"-I{ROOT / 'include'}", str(source), f"-L{BUILD / 'lib'}", "-lstad", "-lm",
                 f"-Wl,-rpath,{BUILD / 'lib'}", "-o", str(program)])
            output = run([str(program)])
        self.assertRegex(output, r"(?m)^(fine-tune|stad-vmf) answers, wealth \S+ of 40$")


class Tutorial(unittest.TestCase):
    """docs/labels.md"""

    @classmethod
    def setUpClass(cls):
        cls.text = (ROOT / "docs" / "labels.md").read_text()

    def blocks(self, language):
        found = re.findall(rf"^```{language}\n(.*?)^```$", self.text, re.S | re.M)
        self.assertTrue(found, language)
        return found

    def test_shell_snippets_run_and_print_what_the_page_shows(self):
        environment = dict(os.environ, PATH=f"{BUILD / 'bin'}:{os.environ['PATH']}")
        with tempfile.TemporaryDirectory() as folder:
            output = run(["bash", "-eu", "-c", "\n".join(self.blocks("sh"))], cwd=folder, env=environment)
        for line in self.blocks("")[0].splitlines():
            if not line.startswith("time "):
                self.assertIn(line, output)

    @unittest.skipUnless(os.environ.get("STAD_PYTHON") == "ON", "the Python package is not built")
    def test_python_snippet_gains(self):
        environment = dict(os.environ, PYTHONPATH=str(BUILD / "python"))
        output = run([sys.executable, "-c", self.blocks("python")[0]], env=environment)
        requested, accuracy = re.match(r"(\d+) ([\d.]+) % stad-vmf", output).groups()
        self.assertLessEqual(int(requested), 50)
        self.assertGreater(float(accuracy), 78, "the source has 72.4 %")


if __name__ == "__main__":
    unittest.main()
