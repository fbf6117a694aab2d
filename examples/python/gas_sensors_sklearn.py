"""Adapts a scikit-learn classifier to ageing sensors.

An array of gas sensors was recorded for three years, in which the sensors drift. A logistic regression is trained to
classify six gases on the first two recording periods. It predicts the later periods unadapted, and adapted by
stad-vmf without labels. stad-safe, the default method, answers as the classifier does here, because the noise of
neighbouring rows persists as their labels do; it warns of the lost accuracy.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/gas_sensors_sklearn.py --data ../shared/data --out docs/images

Adaptation does not improve every classifier. The default, a logistic regression on a small network's embeddings, was
chosen for this example because it improves. --features readings (the raw readings) and --features perceptron (an
MLPClassifier) mostly do not and can lose several points; docs/examples.md has the figures. Evaluate your own
classifier on a recorded stream first.
"""

# %% Imports and options
import argparse
import pathlib
import sys

try:
    import matplotlib.pyplot as pyplot
    import numpy
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.preprocessing import StandardScaler
except ImportError as missing:
    sys.stderr.write(f"SKIPPED: {missing.name} is missing; install python3-sklearn and python3-matplotlib\n")
    sys.exit(77)

import stad

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--data", type=pathlib.Path, default="../shared/data", help="folder that has gas/*.npz")
arguments.add_argument("--out", type=pathlib.Path, default=".", help="folder of the figure")
arguments.add_argument("--features", choices=["embeddings", "readings", "perceptron"], default="embeddings")
arguments.add_argument("--C", type=float, default=1, help="of LogisticRegression")
arguments.add_argument("--seed", type=int, default=0, help="of MLPClassifier")
arguments.add_argument("--order", choices=["as-is", "shuffled"], default="as-is", help="of rows in a period")
options = arguments.parse_args()

# %% Recordings in temporal order: 128 readings, gas and recording period of each row, and embeddings of a small network
files = options.data / "gas/gas_raw.npz", options.data / "gas/gas_features.npz"
for file in files:
    if not file.is_file():
        sys.stderr.write(f"SKIPPED: {file} is missing; it holds the Gas Sensor Array Drift data (docs/examples.md)\n")
        sys.exit(77)
recorded, embedded = map(numpy.load, files)
gas, period = recorded["y"], recorded["batch"]
first = period <= 2
held_out = first & (numpy.random.default_rng(0).random(len(gas)) < 0.2)  # for the card of the head
fitted = first & ~held_out
readings = StandardScaler().fit(recorded["x"][first]).transform(recorded["x"])


# %% The classifier and its head
def linear(features):
    classifier = LogisticRegression(C=options.C, max_iter=3000).fit(features[fitted], gas[fitted])
    return features, stad.from_sklearn(classifier, mean=features[fitted].mean(axis=0))


# %% A multilayer perceptron of scikit-learn: the last layer is the head, its inputs are the features
def perceptron(features):
    network = MLPClassifier((64, 32), max_iter=300, random_state=options.seed).fit(features[fitted], gas[fitted])
    for weight, bias in zip(network.coefs_[:-1], network.intercepts_[:-1]):
        features = numpy.maximum(features @ weight + bias, 0)
    return features, stad.SourceModel(network.coefs_[-1].T, network.intercepts_[-1], features[fitted].mean(axis=0))


if options.features == "perceptron":
    features, source = perceptron(readings)
else:
    features, source = linear(readings if options.features == "readings" else embedded["features"])

# %% The card: statistics of the head on labelled rows it was not fitted to, which the warning level needs
labels = numpy.searchsorted(numpy.unique(gas), gas)
source = source.with_card(features[held_out], labels[held_out])

# %% The later periods in batches of 64
stream = stad.Stream(features[~first], labels[~first], period[~first])
reports = {
    "as trained": stad.evaluate(stad.Source(source), stream, batch_size=64, order=options.order),
    "adapted by stad-vmf": stad.evaluate(stad.StadVmf(source), stream, batch_size=64, order=options.order),
    "stad-safe": stad.evaluate(stad.StadSafe(source), stream, batch_size=64, order=options.order),
}
for name, report in reports.items():
    print(f"{name}: {100 * report['accuracy']:.1f} % of {report['samples']} rows")
levels = [step.get("warning", "none") for step in reports["stad-safe"]["health"]]
print(f"warning level after each period: {', '.join(levels)}")

# %% Figure
figure, axes = pyplot.subplots(figsize=(7, 3.6), layout="constrained")
stad.plot_accuracy(reports, axes)
axes.set(title=f"Six gases, ageing sensors: {options.features}", xlabel="recording period; trained on 1 and 2")
figure.savefig(options.out / "gas_sensors_sklearn.png", dpi=120)

# %% The exit code is 0 if adaptation improved the accuracy
sys.exit(reports["adapted by stad-vmf"]["accuracy"] <= reports["as trained"]["accuracy"])
