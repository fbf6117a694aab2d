"""STAD-vMF in eager PyTorch: every operation covers all classes and all samples of a batch.

Logits and responsibilities are K x N: PyTorch's softmax over the first dimension is vectorised over the samples, over
the last it works row by row (2,048 samples of 2 classes: 5 us against 156).
"""

import math
from collections import deque
from dataclasses import dataclass

import torch

from bessel import BesselFraction, LogNormaliser

NO_EVIDENCE = 1e-12
LEAST_PROPORTION = 1e-8


@dataclass
class Step:
    features: torch.Tensor  # N x D, unit rows
    expected: torch.Tensor  # E[w], K x D
    lengths: torch.Tensor  # |E[w_k]|
    log_pi: torch.Tensor
    mass: torch.Tensor = None  # sum_n lambda_nk
    agreement: torch.Tensor = None  # sum_n lambda_nk E[w_k].h_n, only if kappa is learned


def unit_rows(rows):
    return rows / torch.linalg.vector_norm(rows, dim=1, keepdim=True)


# Batches of one sample are common and twice as fast without a general matrix product.


def products(bias, prototypes, rows, scale):
    """bias + scale prototypes rows^T, K x N"""
    if len(rows) == 1:
        return torch.addmv(bias, prototypes, rows[0], alpha=scale)[:, None]
    return torch.addmm(bias[:, None], prototypes, rows.T, alpha=scale)


def weighted_sum(start, weights, rows, start_scale=1, scale=1, out=None):
    """start_scale start + scale weights rows, K x D"""
    if len(rows) == 1:
        return torch.addr(start, weights[:, 0], rows[0], beta=start_scale, alpha=scale, out=out)
    return torch.addmm(start, weights, rows, beta=start_scale, alpha=scale, out=out)


def estimate_concentration(r, dimension):
    r = r.double().abs().clamp(max=1 - 1e-9)
    return ((r * dimension - r**3) / (1 - r**2)).clamp(1e-2, 1e6)


class StadVmf:
    def __init__(self, weight, mean=None, *, kappa_trans=100.0, kappa_ems=100.0, kappa_0=100.0, window=3, sweeps=1,
                 init="source", learn_kappa="none", center="none", dynamics=True, probabilities="scaled",
                 predict="after", dtype=torch.float32):
        torch.set_flush_denormal(True)  # subnormal responsibilities slow matrix products down by a factor of 100
        self._source = unit_rows(torch.as_tensor(weight, dtype=dtype))
        self._mean = torch.as_tensor(mean, dtype=dtype) if center == "source" else None
        self._classes, self._dimension = self._source.shape
        self._first_kappas = kappa_trans, kappa_ems  # scalars, or one value for each class once they are learned
        self._kappa_trans, self._kappa_ems, self._kappa_0 = kappa_trans, kappa_ems, kappa_0
        self._kept = window + 1 if dynamics else 1
        self._sweeps, self._dynamics = sweeps, dynamics
        self._from_previous = init == "previous" and dynamics
        self._learn, self._probabilities, self._predict = learn_kappa, probabilities, predict
        self._steps, self._past = deque(), None
        self._certain = self._source.new_ones(self._classes)
        self._nothing = torch.zeros_like(self._certain)
        self._log_uniform = torch.full_like(self._certain, -math.log(self._classes))
        self._fraction = BesselFraction(self._dimension / 2, self._certain)
        self._offsets = None  # log C_D of every class, once kappa is learned for each class
        self._log_normaliser = LogNormaliser(self._dimension, self._classes) if learn_kappa == "class" else None

    @torch.no_grad()
    def adapt(self, features):
        """Adapts to a batch (N x D) and returns its class probabilities (N x K)."""
        features = torch.as_tensor(features, dtype=self._source.dtype)
        if self._mean is not None:
            features = features - self._mean
        norms = torch.linalg.vector_norm(features, dim=1, keepdim=True)
        directed = norms[:, 0] > 0
        whole = bool(directed.all())
        unit = features / norms if whole else features[directed] / norms[directed]

        served = self._answer(unit) if self._predict == "before" else None
        self._slide(unit)
        self._fit()
        if served is None:
            served = self._answer(unit)
        if whole:
            return served
        everyone = torch.full((len(features), self._classes), 1 / self._classes, dtype=served.dtype)
        everyone[directed] = served
        return everyone

    def prototypes(self):
        newest = self._newest()
        return newest.expected / newest.lengths[:, None]

    def _newest(self):
        return self._steps[-1] if self._steps else Step(None, self._source, self._certain, self._log_uniform)

    def _slide(self, unit):
        newest = self._newest()
        start = (newest.expected, newest.lengths) if self._from_previous else (self._source, self._certain)
        self._steps.append(Step(unit, *start, self._log_uniform))
        if len(self._steps) > self._kept:
            self._past = self._steps.popleft().expected

    def _fit(self):
        if not self._dynamics:  # no state is carried over
            self._kappa_trans, self._kappa_ems = self._first_kappas
        for _ in range(self._sweeps):
            self._sweep()
            if self._learn != "none":
                self._learn_kappas()

    def _sweep(self):
        steps = self._steps
        for i, step in enumerate(steps):
            if i > 0:
                before, strength = steps[i - 1].expected, self._kappa_trans
            elif self._past is not None:
                before, strength = self._past, self._kappa_trans
            else:
                before, strength = self._source, self._kappa_0
            after = steps[i + 1].expected if i + 1 < len(steps) else None
            self._update(step, self._assign(step), before, strength, after)

    def _assign(self, step):
        """lambda, K x N."""
        if self._per_class():
            logits = products(self._nothing, step.expected, step.features, 1).mul_(self._kappa_ems[:, None])
            logits += (step.log_pi + self._offsets)[:, None]
        else:
            logits = products(step.log_pi, step.expected, step.features, self._kappa_ems)
        if self._learn != "class":
            return torch.softmax(logits, 0)
        # A class keeps its kappa if its evidence is below one sample. A single confident sample contributes 1 - 1e-9,
        # so the sum must be accurate enough to distinguish the two.
        exact = torch.softmax(logits, 0, dtype=torch.float64)
        step.mass = exact.sum(1)
        return exact.to(logits.dtype)

    def _update(self, step, lam, before, strength, after):
        if not self._dynamics:
            beta = (lam * self._columns(self._kappa_ems)) @ step.features
        elif self._per_class():
            beta = before * self._columns(strength)
            if after is not None:
                beta.addcmul_(after, self._kappa_trans[:, None])
            beta = weighted_sum(beta, lam * self._kappa_ems[:, None], step.features, out=beta)
        elif after is None:
            beta = weighted_sum(before, lam, step.features, strength, self._kappa_ems)
        else:
            messages = torch.add(after, before, alpha=strength / self._kappa_trans)
            beta = weighted_sum(messages, lam, step.features, self._kappa_trans, self._kappa_ems, out=messages)

        # E[w] = A(gamma) rho = (A(gamma) / gamma) beta, which does not require rho.
        gamma = torch.linalg.vector_norm(beta, dim=1)
        shrink = self._fraction(gamma).reciprocal_()
        beta.mul_(shrink[:, None])
        lengths = shrink.mul_(gamma)
        if gamma.min() <= NO_EVIDENCE:
            empty = gamma <= NO_EVIDENCE
            beta[empty] = step.expected[empty]
            lengths[empty] = step.lengths[empty]
        step.expected, step.lengths = beta, lengths

        if len(step.features):
            step.log_pi = lam.mean(1).clamp_(min=LEAST_PROPORTION).log_()
        if self._learn != "none":
            if self._learn == "global":
                step.mass = lam.sum(1)
            step.agreement = (lam * products(self._nothing, beta, step.features, 1)).sum(1)

    def _learn_kappas(self):
        shared = self._learn == "global"
        if len(self._steps) > 1:
            expected = [step.expected for step in self._steps]
            pairs = sum((a * b).sum(1) for a, b in zip(expected, expected[1:])) / (len(expected) - 1)
            kappa = estimate_concentration(pairs.mean() if shared else pairs, self._dimension)
            self._kappa_trans = float(kappa) if shared else kappa.to(self._source.dtype)
        elif not shared and not torch.is_tensor(self._kappa_trans):
            self._kappa_trans = self._certain * self._kappa_trans

        mass = sum(step.mass for step in self._steps)
        agreement = sum(step.agreement for step in self._steps)
        if shared:
            if mass.sum() > 0:
                self._kappa_ems = float(estimate_concentration(agreement.sum() / mass.sum(), self._dimension))
        else:
            kappa = estimate_concentration(agreement / mass, self._dimension).to(self._source.dtype)
            self._kappa_ems = torch.where(mass >= 1, kappa, self._certain * self._kappa_ems)
            offsets = self._log_normaliser(self._kappa_ems)  # large, but their common part cancels in the softmax
            self._offsets = (offsets - offsets.max()).to(self._source.dtype)

    def _per_class(self):
        return torch.is_tensor(self._kappa_ems)

    @staticmethod
    def _columns(kappa):
        return kappa[:, None] if torch.is_tensor(kappa) else kappa

    def _answer(self, unit):
        newest = self._newest()
        logits = products(self._nothing, newest.expected, unit, 1)  # of E[w], so |E[w]| times those of rho
        if self._probabilities == "paper":
            return torch.softmax(logits.div_(newest.lengths[:, None]), 0).T
        logits.mul_((self._kappa_ems / newest.lengths)[:, None])
        if self._per_class():
            logits += self._offsets[:, None]
        if self._probabilities == "posterior":
            logits += newest.log_pi[:, None]
        return torch.softmax(logits, 0).T
