#!/usr/bin/env python3
"""What "without dynamics" may mean, in readings the command does not offer: docs/reproduction.md has the verdict.

    experiments/static_readings.py ../shared/data/yearbook

Every year of Yearbook is a mixture of its own, started from the source weights or at random. Prints pooled accuracy in
percent, mean and deviation over the three networks. Needs numpy.
"""
import sys

import numpy as np

FLOOR = 1e-8  # of proportions inside a logarithm


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def read_years(path):
    """The unit features and labels of each year from 1970 to 2013, and the unit source weights."""
    file = np.load(path)
    features, labels, time = unit(file["features"].astype(float)), file["labels"], file["time"]
    years = [time == year for year in range(1970, 2014)]
    return [(features[rows], labels[rows]) for rows in years if rows.any()], unit(file["weight"].astype(float))


def assign(logits, proportions):
    logits = logits + np.log(np.maximum(proportions, FLOOR))
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def gauss_year(features, means, noise, sweeps):
    """EM of a Gaussian mixture with one covariance; gives means and noise."""
    proportions = np.full(len(means), 1 / len(means))
    for _ in range(sweeps):
        away = features[:, None, :] - means
        responsibility = assign(-0.5 * np.einsum("nkd,de,nke->nk", away, np.linalg.inv(noise), away), proportions)
        mass = responsibility.sum(axis=0)
        means = np.where(mass[:, None] > 1e-12, responsibility.T @ features / np.maximum(mass, 1e-12)[:, None], means)
        proportions = mass / len(features)
        away = features[:, None, :] - means
        noise = np.einsum("nk,nkd,nke->de", responsibility, away, away) / len(features) + 1e-6 * np.eye(len(noise))
    return means, noise


def static_gauss(years, weights, sweeps, carry, scale):
    """carry: the noise learned in a year is where the next one starts, though the means go back to the weights."""
    first = 0.5 * np.eye(weights.shape[1])
    noise, correct, samples = first, 0, 0
    for features, labels in years:
        means, noise = gauss_year(features, weights, noise if carry else first, sweeps)
        correct += ((features @ scale(means).T).argmax(axis=1) == labels).sum()
        samples += len(labels)
    return 100 * correct / samples


def random_vmf(years, weights, random, matched, kappa=100):
    """One sweep from random directions; matched: the better of the two ways to name the classes afterwards."""
    correct, samples = 0, 0
    for features, labels in years:
        prototypes = unit(random.normal(size=weights.shape))
        responsibility = assign(kappa * features @ prototypes.T, np.full(len(weights), 1 / len(weights)))
        prototypes = unit(responsibility.T @ features + 1e-12 * prototypes)
        hits = ((features @ prototypes.T).argmax(axis=1) == labels).sum()
        correct += max(hits, len(labels) - hits) if matched else hits
        samples += len(labels)
    return 100 * correct / samples


def tell(name, figures):
    print(f"{name:60} {np.mean(figures):6.2f} ± {np.std(figures, ddof=1):.2f}")


def main(folder):
    networks = [read_years(f"{folder}/yearbook_features_seed{seed}.npz") for seed in range(3)]
    for carry in (False, True):
        for name, scale in (("dot", lambda means: means), ("unit", unit)):
            for sweeps in (1, 5, 20):
                tell(f"Gauss from the weights, noise {'carried over' if carry else 'afresh'}, {name}, {sweeps} sweeps",
                     [static_gauss(*network, sweeps, carry, scale) for network in networks])
    for matched in (False, True):
        tell(f"vMF from random directions{', names matched' if matched else ''}",
             [np.mean([random_vmf(*network, np.random.default_rng(draw), matched) for draw in range(5)])
              for network in networks])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
