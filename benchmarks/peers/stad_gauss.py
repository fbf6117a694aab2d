"""STAD-Gauss in eager PyTorch, by the equations of the paper: a D x D inverse for each sample and class, in batches."""

import math
from collections import deque
from dataclasses import dataclass

import torch

from stad_vmf import LEAST_PROPORTION, NO_EVIDENCE, unit_rows

RIDGE = 1e-6


@dataclass
class Step:
    features: torch.Tensor  # N x D, unit rows
    means: torch.Tensor  # smoothed, K x D
    log_pi: torch.Tensor


def symmetrised(matrices):
    return (matrices + matrices.mT) / 2


def inverse(covariances):
    """Inverse of positive definite matrices, twice as fast as torch.linalg.inv. LAPACK returns contiguous columns."""
    return torch.cholesky_inverse(torch.linalg.cholesky(covariances)).mT


def outer(a, b):
    return a[..., :, None] * b[..., None, :]


class StadGauss:
    def __init__(self, weight, mean=None, *, window=3, sweeps=1, init="source", initial_variance=1.0,
                 learn_transition=True, score="dot", center="none", dynamics=True, predict="after",
                 chunk_bytes=2**20, dtype=torch.float32):
        torch.set_flush_denormal(True)
        self._source = unit_rows(torch.as_tensor(weight, dtype=dtype))
        self._mean = torch.as_tensor(mean, dtype=dtype) if center == "source" else None
        self._classes, self._dimension = self._source.shape
        self._kept = window + 1 if dynamics else 1
        self._sweeps, self._dynamics = sweeps, dynamics
        self._from_previous = init == "previous" and dynamics
        self._learn_transition, self._score, self._predict = learn_transition, score, predict
        # Number of D x D matrices processed together, such that they stay in the cache.
        self._chunk = max(1, chunk_bytes // (self._source.element_size() * self._classes * self._dimension**2))
        self._identity = torch.eye(self._dimension, dtype=dtype)
        self._transition = self._identity.repeat(self._classes, 1, 1)
        self._transition_noise = 0.01 * self._identity
        self._emission_noise = 0.5 * self._identity
        self._log_uniform = torch.full((self._classes,), -math.log(self._classes), dtype=dtype)
        # Filtered state before the first step of the window, and that of the first step, which leaves the window next.
        self._start = self._source, initial_variance * self._identity.repeat(self._classes, 1, 1)
        self._oldest = self._start
        self._steps = deque()

    @torch.no_grad()
    def adapt(self, features):
        """Adapts to a batch (N x D) and returns its class probabilities (N x K)."""
        features = torch.as_tensor(features, dtype=self._source.dtype)
        if self._mean is not None:
            features = features - self._mean
        norms = torch.linalg.vector_norm(features, dim=1, keepdim=True)
        directed = norms[:, 0] > 0
        unit = features[directed] / norms[directed]

        served = self._answer(unit) if self._predict == "before" else None
        self._slide(unit)
        self._fit()
        if served is None:
            served = self._answer(unit)
        everyone = torch.full((len(features), self._classes), 1 / self._classes, dtype=served.dtype)
        everyone[directed] = served
        return everyone

    def prototypes(self):
        return self._steps[-1].means if self._steps else self._source

    def _slide(self, unit):
        means = self.prototypes() if self._from_previous else self._source
        self._steps.append(Step(unit, means, self._log_uniform))
        if len(self._steps) > self._kept:
            self._start = self._oldest
            self._steps.popleft()

    def _fit(self):
        if self._dynamics:
            for _ in range(self._sweeps):
                self._sweep()
            return
        step = self._steps[-1]
        lam = self._assign(step)
        mass = lam.sum(0)[:, None]
        step.means = torch.where(mass < NO_EVIDENCE, self._source, lam.T @ step.features / mass)

    def _distances(self, features, means):
        """-1/2 Mahalanobis distance, minus terms that all classes share."""
        factor = torch.linalg.cholesky(self._emission_noise)
        whitened = torch.linalg.solve_triangular(factor, torch.cat((features, means)).T, upper=False).T
        rows, centres = whitened[: len(features)], whitened[len(features) :]
        return rows @ centres.T - 0.5 * centres.square().sum(1)

    def _assign(self, step):
        return torch.softmax(self._distances(step.features, step.means) + step.log_pi, 1)

    def _sweep(self):
        steps = self._steps
        lams = [self._assign(step) for step in steps]
        emission_precision = inverse(self._emission_noise)
        a = self._transition

        filtered, predicted = [], []
        state = self._start
        for step, lam in zip(steps, lams):
            mean, covariance = state
            predicted.append(((a @ mean[..., None])[..., 0],
                              symmetrised(self._transition_noise + a @ covariance @ a.mT)))
            state = self._update(*predicted[-1], step.features, lam, emission_precision)
            filtered.append(state)
        self._oldest = filtered[0]

        smoothed, gains = [filtered[-1]], []
        for (mean, covariance), (next_mean, next_covariance) in zip(filtered[-2::-1], predicted[:0:-1]):
            gain = torch.cholesky_solve(a @ covariance, torch.linalg.cholesky(next_covariance)).mT
            after_mean, after_covariance = smoothed[0]
            smoothed.insert(0, (mean + (gain @ (after_mean - next_mean)[..., None])[..., 0],
                                symmetrised(covariance + gain @ (after_covariance - next_covariance) @ gain.mT)))
            gains.insert(0, gain)

        for step, lam, (mean, _) in zip(steps, lams, smoothed):
            step.means = mean
            if len(lam):
                step.log_pi = lam.mean(0).clamp_(min=LEAST_PROPORTION).log_()
        if gains:
            self._fit_transition(smoothed, gains)
        self._fit_emission(smoothed, lams)

    def _update(self, mean, covariance, features, lam, emission_precision):
        """Kalman update of each sample, then the first two moments of their mixture."""
        mass = lam.sum(0)
        share = (lam / mass.clamp(min=NO_EVIDENCE)).T  # K x N
        precision = inverse(covariance)
        information = precision @ mean[..., None]
        sides = information.mT + (features @ emission_precision) * lam.T[..., None]  # K x N x D

        means = torch.empty_like(sides)
        mixed = torch.zeros_like(covariance)
        for first in range(0, len(features), self._chunk):
            part = slice(first, first + self._chunk)
            own = inverse(torch.addcmul(precision[:, None], lam.T[:, part, None, None], emission_precision))
            # Many small matrix-vector products; a batched product would call BLAS for each.
            torch.sum(own * sides[:, part, None], -1, out=means[:, part])
            mixed += (share[:, None, part] @ own.flatten(2)).view_as(mixed)
        mixed_mean = share[:, None] @ means  # K x 1 x D
        residuals = means - mixed_mean
        mixed += (share[..., None] * residuals).mT @ residuals
        silent = mass < NO_EVIDENCE
        return (torch.where(silent[:, None], mean, mixed_mean[:, 0]),
                torch.where(silent[:, None, None], covariance, symmetrised(mixed)))

    def _fit_transition(self, smoothed, gains):
        moments = [covariance + outer(mean, mean) for mean, covariance in smoothed]
        before, after = sum(moments[:-1]), sum(moments[1:])
        crossed = sum(now[1] @ gain.mT + outer(now[0], last[0])
                      for now, last, gain in zip(smoothed[1:], smoothed, gains))
        if self._learn_transition:
            ridged = symmetrised(before) + RIDGE * self._identity
            self._transition = torch.cholesky_solve(crossed.mT, torch.linalg.cholesky(ridged)).mT
        a = self._transition
        carried = crossed @ a.mT
        scatter = (after - carried - carried.mT + a @ before @ a.mT).mean(0) / len(gains)
        self._transition_noise = symmetrised(scatter) + RIDGE * self._identity

    def _fit_emission(self, smoothed, lams):
        scatter, total = torch.zeros_like(self._identity), 0.0
        for step, lam, (mean, covariance) in zip(self._steps, lams, smoothed):
            residuals = (step.features - mean[:, None]) * lam.T[..., None].sqrt()  # K x N x D
            flat = residuals.flatten(0, 1)
            mass = lam.sum(0)
            scatter += flat.T @ flat + (mass[:, None, None] * covariance).sum(0)
            total += float(mass.sum())
        if total > 0:
            self._emission_noise = symmetrised(scatter / total) + RIDGE * self._identity

    def _answer(self, unit):
        weights = self.prototypes()
        if self._score == "likelihood":
            return torch.softmax(self._distances(unit, weights), 1)
        return torch.softmax(unit @ (unit_rows(weights) if self._score == "unit" else weights).T, 1)
