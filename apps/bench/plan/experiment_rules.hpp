#pragma once

#include "bench/plan/experiment.hpp"

namespace stad::cli::bench {

/// What the parts of an experiment say of each other must be true; a mistake is refused with its line.
void check_experiment(const Experiment& experiment);

/// The part of it that streams of images and limited methods need.
void check_images(const Experiment& experiment);

/// A gain is over the source on the same rows, so that the source must run wherever something else does.
void check_gains(const Experiment& experiment);

}  // namespace stad::cli::bench
