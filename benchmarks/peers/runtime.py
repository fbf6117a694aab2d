"""Environment settings that must precede the import of numpy and torch. Import this module first."""

import os
import pathlib
import sys


def prepare(threads):
    cpu = pathlib.Path("/proc/cpuinfo")
    if cpu.exists() and " avx512f " in cpu.read_text():
        # Debian's OpenBLAS does not detect recent CPUs and falls back to SSE3 kernels.
        os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(threads)


def warn_of_slow_blas():
    """The reference BLAS is about 25 times slower than OpenBLAS, which makes the comparison unfair."""
    if "openblas" not in pathlib.Path("/proc/self/maps").read_text():
        print("warning: torch does not use OpenBLAS; install libopenblas0-pthread", file=sys.stderr)
