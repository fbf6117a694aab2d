#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/matrix.hpp>
#include <stad/options.hpp>

namespace stad {

/// A method on embeddings and the shape of the synthetic stream to time it on. The rows of the head are random
/// directions; a feature is the row of a uniformly drawn class plus Gaussian noise of total standard deviation 1.5.
struct SpeedSettings {
  std::string method = "stad-vmf";
  OptionValues options;
  Index samples = 64;                         ///< N, rows a batch
  Index dimension = 512;                      ///< D
  Index classes = 10;                         ///< K
  std::optional<Index> steps = std::nullopt;  ///< timed batches; none: about two seconds of them, from 20 to 1000
  std::uint64_t seed = 0;
};

/// Comparison with the reference implementation before the timing.
struct SpeedVerification {
  Index samples = 0;  ///< shape of the comparison; smaller than the timed one if the reference is too slow
  Index dimension = 0;
  Index classes = 0;
  Index batches = 0;
  double largest_difference = 0;            ///< of a probability
  double largest_prototype_difference = 0;  ///< of a value of a prototype
};

/// Time of a batch, and lower bounds of it on this machine.
struct SpeedReport {
  std::string method;
  std::vector<OptionSetting> options;  ///< fully resolved
  Index samples = 0;
  Index dimension = 0;
  Index classes = 0;
  Index steps = 0;  ///< timed batches
  int threads = 1;

  double median_ms = 0;  ///< a batch
  double p90_ms = 0;     ///< 90th percentile
  std::int64_t state_bytes = 0;

  // Lower bounds for the same shape and threads, in float32.
  double products_ms = 0;  ///< the two matrix products of one E-step: N x D x K and K x N x D
  double pass_ms = 0;      ///< one pass over the prototypes: K x D times a vector

  SpeedVerification verified;

  double ns_per_sample() const { return median_ms * 1e6 / static_cast<double>(samples); }
  /// Memory bandwidth of one pass over the prototypes.
  double pass_gb_per_second() const {
    return static_cast<double>(classes * dimension) * sizeof(float) / (pass_ms * 1e6);
  }
  /// Lower bound of the time of a batch for the algorithm of the paper.
  double floor_ms() const { return products_ms > pass_ms ? products_ms : pass_ms; }
};

/// Compares the method with its reference implementation, then times adapt() after a warm-up on threads() threads.
/// Answers that differ are an error.
STAD_API Result<SpeedReport> measure_speed(const SpeedSettings& settings);

}  // namespace stad
