"""Compares both peers with the golden cases: check_golden.py FOLDER [--dtype float32]"""

import runtime

runtime.prepare(threads=1)  # before numpy and torch, because OpenBLAS reads its settings when it is loaded

import argparse
import json
import pathlib
import sys

import numpy as np
import torch

from stad_gauss import StadGauss
from stad_vmf import StadVmf

TOLERANCE = 1e-4
TIE = 1e-5


def run(case, data, dtype):
    options = {key: {"on": True, "off": False}.get(value, value) for key, value in case["options"].items()}
    if dtype:
        options["dtype"] = getattr(torch, dtype)
    if case["method"] == "stad-vmf":
        model = StadVmf(data["weight"], data["mean"], probabilities="paper", **options)
    else:
        model = StadGauss(data["weight"], data["mean"], **options)
    batches = np.split(data["features"], np.cumsum(data["batch_sizes"])[:-1])
    return np.concatenate([model.adapt(batch).numpy() for batch in batches])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("golden", type=pathlib.Path)
    parser.add_argument("--dtype", choices=["float32", "float64"], help="instead of the peers' own")
    arguments = parser.parse_args()
    if not (arguments.golden / "cases.json").exists():
        print(f"SKIPPED: no golden cases in {arguments.golden}")
        return 0

    torch.set_num_threads(1)
    cases = [case for case in json.loads((arguments.golden / "cases.json").read_text())
             if case["method"] in ("stad-vmf", "stad-gauss")]
    failures = 0
    for case in cases:
        data = np.load(arguments.golden / f"{case['name']}.npz")
        expected = data["probabilities"]
        try:
            actual = run(case, data, arguments.dtype)
        except torch.linalg.LinAlgError as error:
            actual = np.full_like(expected, np.nan)
            print(error)
        worst = np.abs(actual - expected).max()
        top = np.sort(expected, axis=1)
        clear = top[:, -1] - top[:, -2] > TIE
        flips = int((actual.argmax(1) != expected.argmax(1))[clear].sum())
        passed = worst <= TOLERANCE and flips == 0
        failures += not passed
        verdict = "ok  " if passed else "FAIL"
        print(f"{verdict} {case['name']:10} |dp| {worst:.1e}, other labels {flips}  {case['options']}")
    print(f"{len(cases) - failures} of {len(cases)} cases passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
