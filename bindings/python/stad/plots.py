"""Plots; they require matplotlib."""

# The colours of Okabe and Ito can be distinguished with colour blindness; line styles differ in addition.
_COLOURS = ["#555555", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"]
_STYLES = ["--", "-", "-.", ":", (0, (5, 1)), (0, (1, 1))]


def _prepare(axes):
    from matplotlib.ticker import MaxNLocator

    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("time")
    axes.set_ylabel("accuracy in %")


def plot_accuracy(reports, ax=None):
    """Plots the accuracy over time of reports of evaluate(), given by name. Returns the axes."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plot_accuracy requires matplotlib (Debian: python3-matplotlib)") from None
    ax = ax or pyplot.subplots()[1]
    for number, (name, report) in enumerate(reports.items()):
        if "step_accuracy" not in report:
            raise ValueError(f"reports: {name} has no accuracy, because its stream has no labels")
        times = report["step_time"]
        ax.plot(times, [100 * accuracy for accuracy in report["step_accuracy"]], label=name,
                color=_COLOURS[number % len(_COLOURS)], linestyle=_STYLES[number % len(_STYLES)],
                marker="o" if len(times) <= 12 else None, markersize=4)
    _prepare(ax)
    ax.legend(frameon=False)
    return ax
