"""STAD-vMF in eager PyTorch: every operation covers all classes and all samples of a batch."""

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
    agreement: torch.Tensor = None  # sum_n lambda_nk E[w_k].h_n, only where kappa is learned


def unit_rows(rows):
    return rows / torch.linalg.vector_norm(rows, dim=1, keepdim=True)


def estimate_concentration(r, dimension):
    r = r.double().abs().clamp(max=1 - 1e-9)
    return ((r * dimension - r**3) / (1 - r**2)).clamp(1e-2, 1e6)


class StadVmf:
    def __init__(self, weight, mean=None, *, kappa_trans=100.0, kappa_ems=100.0, kappa_0=100.0, window=3, sweeps=1,
                 init="source", learn_kappa="none", center="none", dynamics=True, probabilities="scaled",
                 predict="after", dtype=torch.float32):
        torch.set_flush_denormal(True)  # a subnormal responsibility would slow a matrix product down a hundredfold
        self._source = unit_rows(torch.as_tensor(weight, dtype=dtype))
        self._mean = torch.as_tensor(mean, dtype=dtype) if center == "source" else None
        self._classes, self._dimension = self._source.shape
        self._first_kappas = kappa_trans, kappa_ems  # numbers, or one a class once they are learned
        self._kappa_trans, self._kappa_ems, self._kappa_0 = kappa_trans, kappa_ems, kappa_0
        self._kept = window + 1 if dynamics else 1
        self._sweeps, self._dynamics = sweeps, dynamics
        self._from_previous = init == "previous" and dynamics
        self._learn, self._probabilities, self._predict = learn_kappa, probabilities, predict
        self._steps, self._past = deque(), None
        self._certain = self._source.new_ones(self._classes)
        self._log_uniform = torch.full_like(self._certain, -math.log(self._classes))
        self._fraction = BesselFraction(self._dimension / 2, self._certain)
        self._log_normaliser = LogNormaliser(self._dimension, self._classes) if learn_kappa == "class" else None
        self._spare = torch.empty_like(self._source)

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
        if self._from_previous:
            step = Step(unit, newest.expected.clone(), newest.lengths, self._log_uniform)
        else:
            step = Step(unit, self._source.clone(), self._certain, self._log_uniform)
        self._steps.append(step)
        if len(self._steps) > self._kept:
            self._past = self._steps.popleft().expected

    def _fit(self):
        if not self._dynamics:  # nothing learned is carried over
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
        """lambda, N x K."""
        if self._per_class():
            logits = (step.features @ step.expected.T) * self._kappa_ems
            logits += step.log_pi + self._offsets()
        else:
            logits = torch.addmm(step.log_pi, step.features, step.expected.T, alpha=self._kappa_ems)
        if self._learn != "class":
            return torch.softmax(logits, 1)
        # A class keeps its kappa with less than one sample's worth of evidence, and one confident sample brings
        # 1 - 1e-9: the sum must see the difference.
        exact = torch.softmax(logits, 1, dtype=torch.float64)
        step.mass = exact.sum(0)
        return exact.to(logits.dtype)

    def _update(self, step, lam, before, strength, after):
        beta = self._spare
        if not self._dynamics:
            torch.mm((lam * self._kappa_ems).T, step.features, out=beta)
        elif self._per_class():
            torch.mul(before, strength[:, None] if torch.is_tensor(strength) else strength, out=beta)
            beta.addmm_((lam * self._kappa_ems).T, step.features)
            if after is not None:
                beta.addcmul_(after, self._kappa_trans[:, None])
        else:
            torch.addmm(before, lam.T, step.features, beta=strength, alpha=self._kappa_ems, out=beta)
            if after is not None:
                beta.add_(after, alpha=self._kappa_trans)

        # E[w] = A(gamma) rho = (A(gamma) / gamma) beta: rho itself is never needed.
        gamma = torch.linalg.vector_norm(beta, dim=1)
        shrink = self._fraction(gamma).reciprocal_()
        lengths = shrink * gamma
        beta.mul_(shrink[:, None])
        empty = gamma <= NO_EVIDENCE
        if empty.any():
            beta[empty] = step.expected[empty]
            lengths[empty] = step.lengths[empty]
        self._spare, step.expected, step.lengths = step.expected, beta, lengths

        if len(lam):
            step.log_pi = lam.mean(0).clamp_(min=LEAST_PROPORTION).log_()
        if self._learn != "none":
            if self._learn == "global":
                step.mass = lam.sum(0)
            step.agreement = (lam * (step.features @ beta.T)).sum(0)

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

    def _per_class(self):
        return torch.is_tensor(self._kappa_ems)

    def _offsets(self):
        """log C_D of every class, less their largest: the common part cancels in a softmax, and is large."""
        offsets = self._log_normaliser(self._kappa_ems)
        return (offsets - offsets.max()).to(self._source.dtype)

    def _answer(self, unit):
        newest = self._newest()
        scale = newest.lengths.reciprocal()
        logits = unit @ newest.expected.T
        if self._probabilities == "paper":
            return torch.softmax(logits.mul_(scale), 1)
        logits.mul_(scale * self._kappa_ems)
        if self._per_class():
            logits += self._offsets()
        if self._probabilities == "posterior":
            logits += newest.log_pi
        return torch.softmax(logits, 1)
