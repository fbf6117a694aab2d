"""Runs the tests of the service: python3 run.py [pattern...]"""

import pathlib
import sys
import unittest

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
names = sys.argv[1:] or ["*_test.py"]
suite = unittest.TestSuite(unittest.defaultTestLoader.discover(str(here), pattern=name) for name in names)
result = unittest.TextTestRunner(verbosity=2).run(suite)
if result.testsRun and len(result.skipped) == result.testsRun:
    sys.exit(77)  # CTest reports the tests as skipped, not as passed
sys.exit(not result.wasSuccessful())
