"""Adapts a PyTorch model with two lines of code.

A small convolutional network was trained on portraits of 1930 to 1969 to classify them as men or women. Hair and
clothes change over time. The example predicts portraits of 1970 to 2013 with the unadapted model and with a
stad.LiveModel, which adapts to each batch by the method normalise: it moves the mean of recent features back to that of
the training features. The default method, stad-safe, would answer as the model does, because the portraits of a year
come in random order.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/yearbook_torch.py --data ../shared/data --out docs/images
"""

# %% Imports and options
import argparse
import pathlib
import sys

try:
    import matplotlib.pyplot as pyplot
    import numpy
    import torch
    from torch import nn
except ImportError as missing:
    sys.stderr.write(f"SKIPPED: {missing.name} is missing; install python3-torch and python3-matplotlib\n")
    sys.exit(77)

import stad

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--data", type=pathlib.Path, default="../shared/data", help="folder that has yearbook/")
arguments.add_argument("--out", type=pathlib.Path, default=".", help="folder of the figure")
options = arguments.parse_args()

# %% Portraits of 32 x 32 pixels with their years, and the trained weights
files = options.data / "yearbook/yearbook32.npz", options.data / "yearbook/yearbook_cnn_seed0.pt"
for file in files:
    if not file.is_file():
        sys.stderr.write(f"SKIPPED: {file} is missing; it belongs to the Yearbook data (docs/examples.md)\n")
        sys.exit(77)
portraits = numpy.load(files[0])
year, label = portraits["year"], portraits["y"]
pixels = torch.from_numpy(portraits["x"]).unsqueeze(1)


def images(rows):
    return pixels[rows].float() / 255


# %% The model
class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(*[
            nn.Sequential(nn.Conv2d(channels, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2))
            for channels in (1, 32, 32, 32)])
        self.fc = nn.Linear(32, 2)

    def features(self, x):
        return self.net(x).mean(dim=(2, 3))

    def forward(self, x):
        return self.fc(self.features(x))


model = Network()
model.load_state_dict(torch.jit.load(files[1]).state_dict())
model.eval()

# %% Mean of the training features, to which normalise brings the features back
with torch.no_grad():
    mean = model.features(images((year >= 1930) & (year < 1970))).mean(dim=0)

# %% Adaptation takes two lines: this one, and below live(images) instead of model(images)
live = stad.LiveModel(model, "normalise", mean=mean)

# %% The years in order, each shuffled, in batches of about 64
mix = numpy.random.default_rng(1)
years = list(range(1970, 2014))
correct = {"as trained": [], "stad.LiveModel": []}
for now in years:
    rows = mix.permutation(numpy.flatnonzero(year == now))
    counts = dict.fromkeys(correct, 0)
    for batch in numpy.array_split(rows, max(1, len(rows) // 64)):
        with torch.no_grad():
            counts["as trained"] += (model(images(batch)).argmax(dim=1).numpy() == label[batch]).sum()
        counts["stad.LiveModel"] += (live(images(batch)).argmax(dim=1).numpy() == label[batch]).sum()
    for name, count in counts.items():
        correct[name].append(count)

# %% Accuracy
total = sum((year == now).sum() for now in years)
for name, counts in correct.items():
    print(f"{name}: {100 * sum(counts) / total:.1f} % of {total} portraits")

# %% Figure, from reports in the format of stad.evaluate()
sizes = [(year == now).sum() for now in years]
reports = {name: {"step_time": years, "step_accuracy": [count / size for count, size in zip(counts, sizes)]}
           for name, counts in correct.items()}
figure, axes = pyplot.subplots(figsize=(7, 3.6), layout="constrained")
stad.plot_accuracy(reports, axes)
axes.set(title="Portraits of 1970 to 2013, a network trained on 1930 to 1969", xlabel="year")
figure.savefig(options.out / "yearbook_torch.png", dpi=120)

# %% The exit code is 0 if adaptation improved the accuracy
sys.exit(int(sum(correct["stad.LiveModel"]) <= sum(correct["as trained"])))
