"""Runs the tests beside this file; skips and says so where a package they need is missing."""

import importlib
import pathlib
import sys
import unittest

for package in ("numpy", "hypothesis"):
    try:
        importlib.import_module(package)
    except ImportError:
        print(f"SKIPPED, the Python package was not tested: {package} is missing; scripts/install-packages test installs it",
              file=sys.stderr)
        sys.exit(77)

tests = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent), pattern="*_test.py")
sys.exit(not unittest.TextTestRunner(verbosity=1).run(tests).wasSuccessful())
