"""The two functions of the von Mises-Fisher distribution that STAD-vMF uses, vectorised over concentrations."""

import math

import torch


class BesselFraction:
    """A_D(x) / x = 1 / w, with w from Perron's continued fraction for I_v(x) / I_{v-1}(x):

        w_0 = 2v + x - a_1 / w_1,   w_n = 2v + n + 2x - a_{n+1} / w_{n+1},   a_n = (2v + 2n - 1) x

    Summed backwards it is one operation a term. The number of terms is fixed, so that nothing waits for a test of
    convergence, and the coefficients live in one workspace: for a few classes the cost is the number of calls.
    """

    def __init__(self, order, like):
        """order: v, a number or a tensor that broadcasts against the concentrations; like: a tensor of their shape."""
        v = torch.as_tensor(order, dtype=torch.float64, device=like.device)
        terms = terms_needed(float(v.min()), torch.finfo(like.dtype).eps)
        n = torch.arange(terms, dtype=torch.float64, device=like.device).reshape(-1, *[1] * like.dim())
        self._slope = -(2 * v + 2 * n + 1).to(like.dtype)  # -a_{n+1} / x
        self._offset = (2 * v + n).to(like.dtype)
        shape = (terms, *torch.broadcast_shapes(v.shape, like.shape))
        self._a, self._b = like.new_empty(shape), like.new_empty(shape)
        self._terms = list(zip(self._a.unbind(), self._b.unbind()))[-2::-1]

    def __call__(self, x):
        torch.mul(self._slope, x, out=self._a)
        torch.add(self._offset, x, alpha=2, out=self._b)
        self._b[0].sub_(x)
        w = self._b[-1]
        for a, b in self._terms:
            w = torch.addcdiv(b, a, w)
        return w


def terms_needed(order, accuracy):
    """Number of terms with which the fraction converges; slowest for concentrations near the dimension."""
    x = torch.logspace(-3, 6, 400, dtype=torch.float64)

    def fraction(terms):
        w = 2 * order + terms + 2 * x
        for n in range(terms - 1, -1, -1):
            w = 2 * order + n + (2 if n else 1) * x - (2 * order + 2 * n + 1) * x / w
        return w

    exact = fraction(300)
    return next(n for n in range(2, 300) if ((fraction(n) / exact - 1).abs() < accuracy).all()) + 1


class LogNormaliser:
    """log C_D(kappa), minus a constant that only depends on D, in float64.

    Olver's uniform expansion of I_v is accurate from order 16 on; smaller orders are reached from there by the ratios
    of neighbouring orders.
    """

    UNIFORM_ORDER = 16

    def __init__(self, dimension, classes):
        order = dimension / 2 - 1
        lift = max(0, math.ceil(self.UNIFORM_ORDER - order))
        self._order = order + lift
        like = torch.empty(lift, classes, dtype=torch.float64)
        orders = order + 1 + torch.arange(lift, dtype=torch.float64)
        self._ratios = BesselFraction(orders[:, None], like) if lift else None

    def __call__(self, kappa):
        kappa = kappa.double()
        v = self._order
        s = torch.sqrt(v * v + kappa * kappa)
        p = v / s
        q = p * p
        u1 = p * (3 - 5 * q) / 24
        u2 = q * (81 + q * (-462 + q * 385)) / 1152
        u3 = p * q * (30375 + q * (-369603 + q * (765765 - q * 425425))) / 414720
        u4 = q * q * (4465125 + q * (-94121676 + q * (349922430 + q * (-446185740 + q * 185910725)))) / 39813120
        series = 1 + (u1 + (u2 + (u3 + u4 / v) / v) / v) / v
        result = v * torch.log(v + s) - s + 0.5 * torch.log(s) - torch.log(series)
        return result - self._ratios(kappa).log().sum(0) if self._ratios else result
