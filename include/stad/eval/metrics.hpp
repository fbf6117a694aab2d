#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// Accuracy of one time step.
struct StepAccuracy {
  double time = 0;  ///< 0 for a stream without time stamps
  Index samples = 0;
  double accuracy = 0;
  Index correct = 0;
};

/// Counts of one class.
struct ClassScore {
  Index samples = 0;    ///< rows of this class
  Index predicted = 0;  ///< rows predicted as this class
  Index correct = 0;

  double recall() const { return samples ? static_cast<double>(correct) / static_cast<double>(samples) : 0; }
  double precision() const { return predicted ? static_cast<double>(correct) / static_cast<double>(predicted) : 0; }
};

/// Metrics as fractions between 0 and 1.
struct Evaluation {
  Index samples = 0;     ///< scored rows
  double pooled = 0;     ///< accuracy over all samples
  double step_mean = 0;  ///< mean over time steps of the accuracy within each
  std::vector<StepAccuracy> per_step;
  std::vector<ClassScore> per_class;
  double calibration_error = 0;  ///< expected |confidence - accuracy| over 15 equal bins of confidence
};

/// Accumulates predictions and computes metrics of all added so far.
class STAD_API Evaluator {
 public:
  explicit Evaluator(Index classes);

  /// @param truth         N labels within [0, K), or kNoClass, which is not scored
  /// @param answers       N predicted labels
  /// @param probabilities N x K
  void add(std::span<const std::int64_t> truth, std::span<const std::int64_t> answers, MatrixView probabilities,
           double time = 0);

  Evaluation evaluation() const;

 private:
  struct Count {
    Index samples = 0;
    Index correct = 0;
  };
  struct Bin {
    Index samples = 0;
    Index correct = 0;
    double confidence = 0;
  };
  std::map<double, Count> steps_;
  std::vector<ClassScore> classes_;
  std::vector<Bin> bins_;
};

}  // namespace stad
