"""Lets stad work in the shadow of a classifier that goes on answering, until there is reason to switch.

The service answers with the classifier as it was trained. Beside it stad-safe adapts and its answers are only logged:
how often they differ, and how accurate both are estimated to be, without labels. The day comes when the estimates say
that switching would pay. Labels are looked at in the end only, to see whether that was right.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/shadow_mode.py --data ../shared/data --out docs/images
"""

# %% What is needed
import argparse
import pathlib
import sys

try:
    import matplotlib.pyplot as pyplot
    import numpy
except ImportError as missing:
    sys.stderr.write(f"SKIPPED: {missing.name} is missing; install python3-numpy and python3-matplotlib\n")
    sys.exit(77)

import stad

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--data", type=pathlib.Path, default="../shared/data", help="folder that has yearbook/")
arguments.add_argument("--out", type=pathlib.Path, default=".", help="folder the picture is written to")
options = arguments.parse_args()

# %% A head and a stream of embeddings: portraits of 1970 to 2013, the network trained up to 1969
file = options.data / "yearbook/yearbook_features_seed0.npz"
if not file.is_file():
    sys.stderr.write(f"SKIPPED: {file} is missing; it belongs to the Yearbook data (docs/examples.md)\n")
    sys.exit(77)
yearbook = numpy.load(file)
features, labels, year = yearbook["features"], yearbook["labels"], yearbook["time"]
source = stad.SourceModel(yearbook["weight"], yearbook["bias"], yearbook["mean"])

# %% Who answers, and who works in the shadow; "full" has the source judged as strictly as stad-safe judges itself
service = stad.Source(source)
service.watch("full")
shadow = stad.StadSafe(source)

# %% Switch when the estimated gain has been two points over the last ten batches
GAIN, BATCHES = 0.02, 10

mix = numpy.random.default_rng(1)
log, switched = [], None
for now in range(1970, 2014):
    rows = mix.permutation(numpy.flatnonzero(year == now))
    for batch in numpy.array_split(rows, max(1, len(rows) // 64)):
        served = service.adapt(features[batch], time=now)
        silent = shadow.adapt(features[batch], time=now)
        log.append({
            "year": now, "rows": len(batch),
            "differ": numpy.mean(served.labels != silent.labels),
            "served": served.health["estimated_accuracy"][0], "silent": silent.health["estimated_accuracy"][0],
            "served right": numpy.mean(served.labels == labels[batch]),  # for the end only
            "silent right": numpy.mean(silent.labels == labels[batch]),
        })
        gains = [entry["silent"] - entry["served"] for entry in log[-BATCHES:]]
        if switched is None and len(gains) == BATCHES and numpy.mean(gains) > GAIN:
            switched = len(log)
            print(f"{now}: switch. Over the last {BATCHES} batches the shadow answered "
                  f"{100 * numpy.mean([entry['differ'] for entry in log[-BATCHES:]]):.0f} % of the rows otherwise and was "
                  f"estimated {100 * numpy.mean(gains):.1f} points better")

# %% Was that right? Now the labels may be seen
if switched is None:
    sys.exit("the estimates never said that switching would pay")


def mean(entries, field):
    return numpy.average([entry[field] for entry in entries], weights=[entry["rows"] for entry in entries])


for name, part in ("before", log[:switched]), ("after", log[switched:]):
    print(f"{name} the switch: source {100 * mean(part, 'served right'):.1f} %, shadow {100 * mean(part, 'silent right'):.1f} % right; "
          f"estimated {100 * mean(part, 'served'):.1f} % and {100 * mean(part, 'silent'):.1f} %")

# %% The picture
years = sorted({entry["year"] for entry in log})
yearly = {field: [100 * mean([entry for entry in log if entry["year"] == now], field) for now in years]
          for field in ("differ", "served", "silent", "served right", "silent right")}
figure, (top, bottom) = pyplot.subplots(2, 1, figsize=(7, 5), sharex=True, height_ratios=[3, 1], layout="constrained")
for field, colour, name in ("served", "#555555", "source, answering"), ("silent", "#0072b2", "stad-safe, in the shadow"):
    top.plot(years, yearly[field + " right"], color=colour, label=f"{name}: true")
    top.plot(years, yearly[field], color=colour, linestyle=":", label=f"{name}: estimated")
bottom.fill_between(years, yearly["differ"], color="#d55e00", alpha=0.7, linewidth=0)
for axes in top, bottom:
    axes.axvline(log[switched - 1]["year"], color="#d55e00", linewidth=1.2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
top.annotate("switch", (log[switched - 1]["year"], 100), xytext=(4, -2), textcoords="offset points", color="#d55e00")
top.set(title="Shadow mode: when would it pay to switch?", ylabel="accuracy in %")
top.legend(frameon=False, fontsize=9, loc="lower right")
bottom.set(xlabel="year", ylabel="answers that\ndiffer in %")
figure.savefig(options.out / "shadow_mode.png", dpi=120)

# %% What this example promises
sys.exit(int(mean(log[switched:], "silent right") <= mean(log[switched:], "served right")))
