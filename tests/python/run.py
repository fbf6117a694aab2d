"""Runs the tests beside this file, all or those named: run.py [arrays threads]. Skips and says so where a package they need
is missing."""

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

tests = unittest.TestSuite(
    unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent), pattern=f"{name}_test.py")
    for name in sys.argv[1:] or ["*"])
result = unittest.TextTestRunner(verbosity=1).run(tests)
for test, reason in result.skipped:
    print(f"SKIPPED {test}: {reason}", file=sys.stderr)
sys.exit(not result.wasSuccessful())
