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

/// What to time: a method on embeddings, on a synthetic stream of one shape. The head's rows are random directions, and
/// every feature is the row of its class, drawn uniformly, plus Gaussian noise of total standard deviation 1.5.
struct SpeedSettings {
  std::string method = "stad-vmf";
  OptionValues options;
  Index samples = 64;                         ///< N, rows a batch
  Index dimension = 512;                      ///< D
  Index classes = 10;                         ///< K
  std::optional<Index> steps = std::nullopt;  ///< batches timed; none: about two seconds of them, from 20 to 1000
  std::uint64_t seed = 0;
};

/// How far the answers were compared with the plain implementation before anything was timed.
struct SpeedVerification {
  Index samples = 0;  ///< the shape compared: smaller than the one timed where the plain form would take too long
  Index dimension = 0;
  Index classes = 0;
  Index batches = 0;
  double largest_difference = 0;            ///< of a probability
  double largest_prototype_difference = 0;  ///< of a value of a prototype
};

/// How long a batch took, and how long it must take at least on this machine.
struct SpeedReport {
  std::string method;
  std::vector<OptionSetting> options;  ///< fully resolved
  Index samples = 0;
  Index dimension = 0;
  Index classes = 0;
  Index steps = 0;  ///< batches timed
  int threads = 1;

  double median_ms = 0;  ///< a batch
  double p90_ms = 0;     ///< 90th percentile
  std::int64_t state_bytes = 0;

  // What this machine can do at best with the same shape and threads, in float32.
  double products_ms = 0;  ///< the two matrix products of one E-step: N x D x K and K x N x D
  double pass_ms = 0;      ///< one pass over the prototypes: K x D times a vector

  SpeedVerification verified;

  double ns_per_sample() const { return median_ms * 1e6 / static_cast<double>(samples); }
  /// What reading the prototypes once comes to.
  double pass_gb_per_second() const {
    return static_cast<double>(classes * dimension) * sizeof(float) / (pass_ms * 1e6);
  }
  /// Below this no batch can be answered and learned from in the way the paper does.
  double floor_ms() const { return products_ms > pass_ms ? products_ms : pass_ms; }
};

/// Compares the method's answers with the plain implementation, then times adapt() after a warm-up, on as many threads
/// as set_threads() says. Answers that differ are an error, and nothing is timed.
STAD_API Result<SpeedReport> measure_speed(const SpeedSettings& settings);

}  // namespace stad
