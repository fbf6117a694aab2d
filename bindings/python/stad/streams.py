"""Recorded and simulated streams."""

from . import _stad


def simulate(drift="progressive", *, steps=20, samples=256, classes=6, dimension=32, strength=1.0, noise=1.0,
             label_shift=False, scattered=False, unknown_class=False, seed=0):
    """Draws a head and a stream that drifts away from it: (SourceModel, Stream)."""
    return _stad._simulate(drift, steps, samples, classes, dimension, strength, noise, label_shift, scattered,
                           unknown_class, seed)


def evaluate(adapter, stream, *, batch_size=None, order="as-is", seed=0, since=None, until=None, sort_by_time=False,
             label_delay=None, label_share=None):
    """Runs an adapter over a stream. Returns a dict of predictions, accuracy if there are labels, and health.

    label_delay: passes labels of the stream to the adapter this many batches after their rows: to StadSafe those that
    it requests, to StadVmf all. The report counts them under "late_labels". None: labels are used for scoring only.
    label_share: of the rows that have a label to pass, drawn with the seed. None: all.
    """
    return _stad._evaluate(adapter, stream, batch_size, order, seed, since, until, sort_by_time, label_delay,
                           label_share)
