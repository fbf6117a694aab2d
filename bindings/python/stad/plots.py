"""Pictures, where matplotlib is there."""


def plot_accuracy(reports, ax=None):
    """Accuracy over time of reports by name, as evaluate() gives them. Returns the axes."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plot_accuracy needs matplotlib; Debian has it as python3-matplotlib") from None
    ax = ax or pyplot.subplots()[1]
    for name, report in reports.items():
        if "step_accuracy" not in report:
            raise ValueError(f"reports: {name} has no accuracy, its stream has no labels")
        ax.plot(report["step_time"], [100 * accuracy for accuracy in report["step_accuracy"]], label=name)
    ax.set_xlabel("time")
    ax.set_ylabel("accuracy in %")
    ax.legend()
    return ax
