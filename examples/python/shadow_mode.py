"""Runs stad in shadow mode: the unadapted classifier serves, and stad-safe adapts beside it without serving.

The example logs how often their predictions differ and the estimated accuracy of both, without labels, and switches
to the adapted predictions once the estimated gain is large enough. Labels are used only afterwards, to verify the
decision.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/shadow_mode.py --data ../shared/data --out docs/images
"""

# %% Imports and options
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
arguments.add_argument("--out", type=pathlib.Path, default=".", help="folder of the figure")
options = arguments.parse_args()

# %% Head and embeddings: portraits of 1970 to 2013, of a network trained on portraits up to 1969
file = options.data / "yearbook/yearbook_features_seed0.npz"
if not file.is_file():
    sys.stderr.write(f"SKIPPED: {file} is missing; it belongs to the Yearbook data (docs/examples.md)\n")
    sys.exit(77)
yearbook = numpy.load(file)
features, labels, year = yearbook["features"], yearbook["labels"], yearbook["time"]
source = stad.SourceModel(yearbook["weight"], yearbook["bias"], yearbook["mean"])

# %% The serving and the shadow adapter; with "full", the accuracy of the source is estimated as for stad-safe
service = stad.Source(source)
service.watch("full")
shadow = stad.StadSafe(source)

# %% Switch when the mean estimated gain over the last ten batches exceeds two points
GAIN, BATCHES = 0.02, 10

mix = numpy.random.default_rng(1)
log, switched = [], None
for now in range(1970, 2014):
    rows = mix.permutation(numpy.flatnonzero(year == now))
    for batch in numpy.array_split(rows, max(1, len(rows) // 64)):
        served = service.adapt(features[batch], time=now)
        shadowed = shadow.adapt(features[batch], time=now)
        log.append({
            "year": now, "rows": len(batch),
            "differ": numpy.mean(served.labels != shadowed.labels),
            "served": served.health["estimated_accuracy"][0], "shadowed": shadowed.health["estimated_accuracy"][0],
            "served correct": numpy.mean(served.labels == labels[batch]),  # used only at the end
            "shadowed correct": numpy.mean(shadowed.labels == labels[batch]),
        })
        gains = [entry["shadowed"] - entry["served"] for entry in log[-BATCHES:]]
        if switched is None and len(gains) == BATCHES and numpy.mean(gains) > GAIN:
            switched = len(log)
            differ = numpy.mean([entry["differ"] for entry in log[-BATCHES:]])
            print(f"{now}: switch. Over the last {BATCHES} batches {100 * differ:.0f} % of the predictions differ, and "
                  f"stad-safe is estimated {100 * numpy.mean(gains):.1f} points better")

# %% Verification with labels
if switched is None:
    sys.exit("the estimated gain never reached the threshold")


def mean(entries, field):
    return numpy.average([entry[field] for entry in entries], weights=[entry["rows"] for entry in entries])


for name, part in ("before", log[:switched]), ("after", log[switched:]):
    print(f"{name} the switch: accuracy of source {100 * mean(part, 'served correct'):.1f} %, of stad-safe "
          f"{100 * mean(part, 'shadowed correct'):.1f} %; estimated {100 * mean(part, 'served'):.1f} % and "
          f"{100 * mean(part, 'shadowed'):.1f} %")

# %% Figure
years = sorted({entry["year"] for entry in log})
yearly = {field: [100 * mean([entry for entry in log if entry["year"] == now], field) for now in years]
          for field in ("differ", "served", "shadowed", "served correct", "shadowed correct")}
figure, (top, bottom) = pyplot.subplots(2, 1, figsize=(7, 5), sharex=True, height_ratios=[3, 1], layout="constrained")
for field, colour, name in ("served", "#555555", "source, serving"), ("shadowed", "#0072b2", "stad-safe, shadow"):
    top.plot(years, yearly[field + " correct"], color=colour, label=f"{name}: true")
    top.plot(years, yearly[field], color=colour, linestyle=":", label=f"{name}: estimated")
bottom.fill_between(years, yearly["differ"], color="#d55e00", alpha=0.7, linewidth=0)
for axes in top, bottom:
    axes.axvline(log[switched - 1]["year"], color="#d55e00", linewidth=1.2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
top.annotate("switch", (log[switched - 1]["year"], 100), xytext=(4, -2), textcoords="offset points", color="#d55e00")
top.set(title="Shadow mode: when does switching improve accuracy?", ylabel="accuracy in %")
top.legend(frameon=False, fontsize=9, loc="lower right")
bottom.set(xlabel="year", ylabel="predictions that\ndiffer in %")
figure.savefig(options.out / "shadow_mode.png", dpi=120)

# %% The exit code is 0 if adaptation improved the accuracy
sys.exit(int(mean(log[switched:], "shadowed correct") <= mean(log[switched:], "served correct")))
