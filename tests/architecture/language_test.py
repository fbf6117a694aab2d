#!/usr/bin/env python3
"""Holds identifiers, comments, messages and documents to the field's vocabulary, and documents to 100 columns."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Words and phrases that were replaced by the field's own. Matched as whole words in any case, after identifiers were
# split at underscores and capitals.
RETIRED = {
    "at hand": "cached",
    "awake": "active",
    "asleep": "compressed",
    "crew|crews": "thread pool",
    "distrust": "trust test",
    "door|doors": "input parser, interface",
    "errand|errands": "task",
    "heard|hear|hears": "accumulated, sufficient statistics",
    "holdings": "owned partitions",
    "house": "project, tree",
    "keeper": "checkpointer",
    "learner": "stream session",
    "lie down|lies down|lying down": "compress",
    "listen|listens|listening": "accumulate",
    "nobody|whoever|somebody": "name the actor, or use the passive voice",
    "refusal|refusals": "error",
    "room|rooms": "module, space",
    "shelf|shelves": "cache",
    "stranger|strangers": "other programs, unrelated modules",
    "surprise|surprised": "change detector",
    "trouble": "error",
    "wake|wakes|woken": "expand, notify",
    "workplace": "worker context",
    "world|worlds": "regime",
}

# Where a retired word is the field's own word: (path, word, line must match).
EXCEPTIONS = [
    (r".*", r"listen|listens|listening", r"(?i)listen(s|ing)?\b.*(socket|address|port|loopback|host|127\.|:8080)|"
     r"(socket|address|port|loopback|host|--listen|127\.).*listen|listen_|_listen|Listen(er|Address|Stream)|"
     r"addEventListener|\.listen\(|\"listen\"|`listen`|listen =|::listen|EventListener"),
    (r"deploy/.*|docs/(service|cluster)\.md|apps/(server|serving|cluster)/.*|tests/(service|cluster|soak|install)/.*",
     r"listen|listens|listening", r".*"),
    (r".*", r"world|worlds", r"(?i)hello,? world|real[- ]world"),
    (r".*", r"wake|wakes|woken", r"(?i)thread|condition|notify|poll|event|wake_|_wake"),
    # CMake's names of permissions.
    (r"cmake/StadPackages\.cmake", r"world", r"WORLD_(READ|EXECUTE)"),
    # Names of the guarded model, which is excluded below: equation labels, classes, a test and a tensor of its state.
    (r"docs/maths\.md", r"surprise|worlds|distrust", r"\[safe-(surprise|worlds)\]|`safe::Distrust`|`SafeModel\."),
    (r"tests/unit/adapt/observe_test\.cpp", r"heard", r"\"remembered\.heard\""),
]

# The guarded model is replaced as a whole, and its names with it.
EXCLUDED = re.compile(r"^(src/safe/|tests/unit/safe/|eval/reference/safe|tests/oracle/safe|fuzz/corpus/|"
                      r"tests/architecture/language_test\.py$|.*package-lock\.json$|LICENSE$)")
TEXT = re.compile(r".*\.(cpp|hpp|h|c|py|pyi|mjs|js|css|html|md|cmake|txt|toml|json|yaml|yml|in|service|lua)$|"
                  r"(^|.*/)(Makefile|run|[a-z-]+)$")


def files():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True, check=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    return [name for name in names if TEXT.match(name) and not EXCLUDED.match(name) and (ROOT / name).is_file()]


def words(line):
    """Identifiers as words: StreamShelf and stream_shelf become "Stream Shelf" and "stream shelf"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_|-", " ", line)


def is_excepted(name, word, line):
    return any(re.fullmatch(path, name) and re.fullmatch(retired, word, re.I) and re.search(context, line)
               for path, retired, context in EXCEPTIONS)


class Vocabulary(unittest.TestCase):
    def test_retired_words_are_gone(self):
        pattern = re.compile(r"\b(" + "|".join(RETIRED) + r")\b", re.I)
        found = []
        for name in files():
            for number, line in enumerate((ROOT / name).read_text(errors="replace").splitlines(), 1):
                for match in pattern.finditer(words(line)):
                    if not is_excepted(name, match[1], line):
                        found.append(f"{name}:{number}: {match[1]}: {line.strip()[:100]}")
        self.assertEqual([], found, "\n" + "\n".join(found))

    def test_retired_names_of_files_are_gone(self):
        pattern = re.compile(r"\b(" + "|".join(RETIRED) + r")\b", re.I)
        self.assertEqual([], [name for name in files() if pattern.search(words(pathlib.Path(name).name))])

    def test_every_replacement_is_stated(self):
        self.assertTrue(all(RETIRED.values()))


def prose_lines(text):
    """Lines of a Markdown file outside of tables and code, with their numbers."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
        elif not fenced and not line.lstrip().startswith("|") and not line.startswith("    "):
            yield number, line


class Documents(unittest.TestCase):
    def test_lines_are_at_most_100_columns(self):
        found = []
        for name in files():
            if name.endswith(".md"):
                found += [f"{name}:{number}: {len(line)} columns" for number, line in
                          prose_lines((ROOT / name).read_text()) if len(line) > 100]
        self.assertEqual([], found, "\n" + "\n".join(found))


if __name__ == "__main__":
    unittest.main()
