"""Runs the tests of this folder, all or those named: run.py [arrays threads]. Exits with 77 (skipped) if a required
package is missing."""

import importlib
import pathlib
import sys
import unittest

for package in ("numpy", "hypothesis"):
    try:
        importlib.import_module(package)
    except ImportError:
        print(f"SKIPPED, the Python package was not tested: {package} is missing; run scripts/install-packages test",
              file=sys.stderr)
        sys.exit(77)

tests = unittest.TestSuite(
    unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent), pattern=f"{name}_test.py")
    for name in sys.argv[1:] or ["*"])
result = unittest.TextTestRunner(verbosity=1).run(tests)
for test, reason in result.skipped:
    print(f"SKIPPED {test}: {reason}", file=sys.stderr)
sys.exit(not result.wasSuccessful())
