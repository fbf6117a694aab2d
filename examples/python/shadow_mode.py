"""Runs stad in shadow mode: the unadapted classifier serves, and an adapting method runs beside it without serving.

Accuracy is not known without labels. What is known: how often the two predictions differ, and the warning level of
stad-safe, which compares the stream with the card of the classifier. Once the level is act, the example has 200 recent
rows labelled, as an annotator would, and switches if the adapted predictions are clearly better on them. All labels
are used only afterwards, to verify the decision.

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

# %% The card: portraits of the training years that the network was not trained on
held_out = (year >= 1930) & (year < 1970) & ~yearbook["train"]
source = source.with_card(features[held_out], labels[held_out])

# %% stad-safe serves: here it answers as the source does, and reports a warning level. normalise is the shadow
service = stad.StadSafe(source)
shadow = stad.Normalise(source)

# %% At level act, compare both on the last rows, labelled; switch if the difference exceeds two standard errors
LABELLED = 200

mix = numpy.random.default_rng(1)
log, switched, recent = [], None, numpy.zeros((0, 2), dtype=bool)
for now in range(1970, 2014):
    rows = mix.permutation(numpy.flatnonzero(year == now))
    for batch in numpy.array_split(rows, max(1, len(rows) // 64)):
        served = service.adapt(features[batch], time=now)
        shadowed = shadow.adapt(features[batch], time=now)
        correct = numpy.stack([served.labels == labels[batch], shadowed.labels == labels[batch]], axis=1)
        recent = numpy.concatenate([recent, correct])[-LABELLED:]
        log.append({"year": now, "rows": len(batch), "warning": served.health.get("warning"),
                    "differ": numpy.mean(served.labels != shadowed.labels),
                    "served": correct[:, 0].mean(), "shadowed": correct[:, 1].mean()})
        if switched is None and log[-1]["warning"] == "act" and len(recent) == LABELLED:
            gain = recent[:, 1].astype(float) - recent[:, 0]
            if gain.mean() > 2 * gain.std() / numpy.sqrt(LABELLED):
                switched = len(log)
                print(f"{now}: switch. The warning level is act, and of the last {LABELLED} portraits, labelled, the "
                      f"adapted predictions have {100 * gain.mean():.1f} points more right")

# %% Verification with all labels
if switched is None:
    sys.exit("the level never was act while the adapted predictions were better")


def mean(entries, field):
    return numpy.average([entry[field] for entry in entries], weights=[entry["rows"] for entry in entries])


for name, part in ("before", log[:switched]), ("after", log[switched:]):
    print(f"{name} the switch: accuracy of the source {100 * mean(part, 'served'):.1f} %, adapted "
          f"{100 * mean(part, 'shadowed'):.1f} %")

# %% Figure
years = sorted({entry["year"] for entry in log})
yearly = {field: [100 * mean([entry for entry in log if entry["year"] == now], field) for now in years]
          for field in ("differ", "served", "shadowed")}
figure, (top, bottom) = pyplot.subplots(2, 1, figsize=(7, 5), sharex=True, height_ratios=[3, 1], layout="constrained")
top.plot(years, yearly["served"], color="#555555", label="source, serving")
top.plot(years, yearly["shadowed"], color="#0072b2", label="normalise, shadow")
for level, colour in ("watch", "#e69f00"), ("act", "#d55e00"):
    warned = sorted({entry["year"] for entry in log if entry["warning"] == level})
    top.plot(warned, [101] * len(warned), "|", color=colour, label=f"warning level {level}", clip_on=False)
bottom.fill_between(years, yearly["differ"], color="#d55e00", alpha=0.7, linewidth=0)
for axes in top, bottom:
    axes.axvline(log[switched - 1]["year"], color="#d55e00", linewidth=1.2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
top.annotate("switch", (log[switched - 1]["year"], 99), xytext=(4, -8), textcoords="offset points", color="#d55e00")
top.set(title="Shadow mode: when does switching improve accuracy?", ylabel="accuracy in %", ylim=(None, 101))
top.legend(frameon=False, fontsize=9, loc="lower right")
bottom.set(xlabel="year", ylabel="predictions that\ndiffer in %")
figure.savefig(options.out / "shadow_mode.png", dpi=120)

# %% The exit code is 0 if adaptation improved the accuracy
sys.exit(int(mean(log[switched:], "shadowed") <= mean(log[switched:], "served")))
