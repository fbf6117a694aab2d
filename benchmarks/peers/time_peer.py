"""Times a peer's adapt() on a synthetic stream and prints one line of JSON.

    time_peer.py --method stad-vmf --samples 100 --dim 512 --classes 10 -O kappa_trans=1000
"""

import argparse
import json
import math
import statistics
import time

import runtime


def option(text):
    key, _, value = text.partition("=")
    words = {"on": True, "off": False}
    if value in words:
        return key, words[value]
    for parse in (int, float):
        try:
            return key, parse(value)
        except ValueError:
            pass
    return key, value


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--method", choices=["stad-vmf", "stad-gauss"], required=True)
    parser.add_argument("--samples", type=int, required=True)
    parser.add_argument("--dim", type=int, required=True)
    parser.add_argument("--classes", type=int, required=True)
    parser.add_argument("-O", dest="options", metavar="KEY=VALUE", type=option, action="append", default=[])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--warm-up", type=int, default=8, help="batches that are not timed; they fill the window")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20, help="no new step is started after that")
    return parser.parse_args()


def main():
    args = arguments()
    runtime.prepare(args.threads)
    import torch

    from stad_gauss import StadGauss
    from stad_vmf import StadVmf

    runtime.warn_of_slow_blas()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    prototypes = torch.nn.functional.normalize(torch.randn(args.classes, args.dim))

    def batch():
        noise = torch.randn(args.samples, args.dim) * (1.5 / args.dim**0.5)
        return prototypes[torch.randint(args.classes, (args.samples,))] + noise

    peer = {"stad-vmf": StadVmf, "stad-gauss": StadGauss}[args.method]
    model = peer(prototypes, **dict(args.options))
    for _ in range(args.warm_up):
        model.adapt(batch())

    times = []
    begin = time.perf_counter()
    while not times or (len(times) < args.steps and time.perf_counter() - begin < args.seconds):
        features = batch()
        start = time.perf_counter()
        probabilities = model.adapt(features)
        times.append(1e3 * (time.perf_counter() - start))
        if not torch.isfinite(probabilities).all():
            raise SystemExit("the peer's probabilities are not finite; its time is not comparable")
    times.sort()
    print(json.dumps({
        "method": args.method, "samples": args.samples, "dim": args.dim, "classes": args.classes,
        "median_ms": round(statistics.median(times), 4), "p90_ms": round(times[math.ceil(0.9 * len(times)) - 1], 4),
        "steps": len(times), "threads": args.threads, "torch": torch.__version__,
    }))


if __name__ == "__main__":
    main()
