#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// How the rows of one time step were answered.
struct StepAccuracy {
  double time = 0;  ///< 0 for a stream without time stamps
  Index samples = 0;
  double accuracy = 0;
  Index correct = 0;
};

/// How the rows of one class were answered.
struct ClassScore {
  Index samples = 0;    ///< rows of this class
  Index predicted = 0;  ///< rows answered with this class
  Index correct = 0;

  double recall() const { return samples ? static_cast<double>(correct) / static_cast<double>(samples) : 0; }
  double precision() const { return predicted ? static_cast<double>(correct) / static_cast<double>(predicted) : 0; }
};

/// Figures as fractions between 0 and 1.
struct Evaluation {
  Index samples = 0;     ///< that were scored
  double pooled = 0;     ///< accuracy over all samples
  double step_mean = 0;  ///< mean over time steps of the accuracy within each
  std::vector<StepAccuracy> per_step;
  std::vector<ClassScore> per_class;
  double calibration_error = 0;  ///< expected |confidence - accuracy| over 15 equal bins of confidence
};

/// Collects answers as they come and gives the figures at any moment.
class STAD_API Evaluator {
 public:
  explicit Evaluator(Index classes);

  /// @param truth         N labels within [0, K), or kNoClass: such a row is passed over
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
