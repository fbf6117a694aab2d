#!/usr/bin/python3
"""Overhead of a call from Python over the same call in C++: batches of one row, 512 dimensions, 10 classes.

    PYTHONPATH=build/python /usr/bin/python3 benchmarks/python_overhead.py

The C++ side is stad.evaluate(), which measures the time of every adapt() call in C++. Both sides adapt to the same rows;
before timing, their predictions are checked to be bit-identical.

The exit code depends only on that check, also under ctest, because times depend on other load of the machine. The last
column states whether the overhead is within its limit.
"""

import sys
import time

import numpy

import stad

METHODS = ("source", "stad-vmf", "stad-safe")
ROUNDS = 50  # alternating; the minimum counts, because other load only increases times
MOST_MICROSECONDS = 5


def answers(adapter, rows):
    return numpy.concatenate([adapter.adapt(row).probabilities for row in rows])


def python_seconds(adapter, rows):
    begin = time.perf_counter()
    for row in rows:
        adapter.adapt(row)
    return time.perf_counter() - begin


def reading_seconds(adapter, rows):
    begin = time.perf_counter()
    for row in rows:
        answer = adapter.adapt(row)
        answer.labels, answer.probabilities
    return time.perf_counter() - begin


def microseconds_a_call(method, source, stream):
    """Times in C++, from Python, and from Python with access to the arrays of the answer."""
    def adapter():
        return stad.make_adapter(method, source)

    rows = [stream.features[i:i + 1] for i in range(len(stream))]
    if (answers(adapter(), rows) != stad.evaluate(adapter(), stream, batch_size=1)["probabilities"]).any():
        sys.exit(f"benchmark: predictions of {method} differ between Python and C++")
    rounds = [(stad.evaluate(adapter(), stream, batch_size=1)["seconds"], python_seconds(adapter(), rows),
               reading_seconds(adapter(), rows)) for _ in range(ROUNDS)]
    return [1e6 * min(seconds) / len(rows) for seconds in zip(*rounds)]


def main():
    source, stream = stad.simulate(steps=1, samples=200, classes=10, dimension=512, seed=1)
    print("| method, 1 x 512 x 10 | C++, us | Python, us | over C++, us | with its arrays, us | "
          f"under {MOST_MICROSECONDS} us |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for method in METHODS:
        inside, outside, reading = microseconds_a_call(method, source, stream)
        met = "yes" if outside - inside < MOST_MICROSECONDS else "**no**"
        print(f"| {method} | {inside:.2f} | {outside:.2f} | {outside - inside:.2f} | {reading - inside:.2f} | {met} |")


if __name__ == "__main__":
    main()
