"""Keeps a PyTorch model fresh in two lines.

A small convolutional network learned from portraits of 1930 to 1969 to tell men from women. Hair and clothes change; it
answers the portraits of 1970 to 2013 as it was trained, and as a stad.LiveModel that adapts while it answers.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/yearbook_torch.py --data ../shared/data --out docs/images
"""

# %% What is needed
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
arguments.add_argument("--out", type=pathlib.Path, default=".", help="folder the picture is written to")
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


# %% The model, an nn.Module like any other
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

# %% The mean of the training features: optional, and worth giving
with torch.no_grad():
    mean = model.features(images((year >= 1930) & (year < 1970))).mean(dim=0)

# %% Two lines: this one, and live(images) below in the place of model(images)
live = stad.LiveModel(model, mean=mean)

# %% Year after year, 64 portraits at a time in a mixed order
mix = numpy.random.default_rng(1)
years = list(range(1970, 2014))
right = {"as trained": [], "stad.LiveModel": []}
for now in years:
    rows = mix.permutation(numpy.flatnonzero(year == now))
    counts = dict.fromkeys(right, 0)
    for batch in numpy.array_split(rows, max(1, len(rows) // 64)):
        with torch.no_grad():
            counts["as trained"] += (model(images(batch)).argmax(dim=1).numpy() == label[batch]).sum()
        counts["stad.LiveModel"] += (live(images(batch)).argmax(dim=1).numpy() == label[batch]).sum()
    for name, count in counts.items():
        right[name].append(count)

# %% What came of it
total = sum((year == now).sum() for now in years)
for name, counts in right.items():
    print(f"{name}: {100 * sum(counts) / total:.1f} % of {total} portraits")

# %% The picture, from reports as stad.evaluate() would give them
reports = {name: {"step_time": years, "step_accuracy": [count / (year == now).sum() for count, now in zip(counts, years)]}
           for name, counts in right.items()}
figure, axes = pyplot.subplots(figsize=(7, 3.6), layout="constrained")
stad.plot_accuracy(reports, axes)
axes.set(title="Portraits of 1970 to 2013, a network trained on 1930 to 1969", xlabel="year")
figure.savefig(options.out / "yearbook_torch.png", dpi=120)

# %% What this example promises
sys.exit(int(sum(right["stad.LiveModel"]) <= sum(right["as trained"])))
