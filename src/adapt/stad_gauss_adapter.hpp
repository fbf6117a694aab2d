#pragma once

#include <span>

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "gaussian/em.hpp"
#include "gaussian/params.hpp"
#include "gaussian/window.hpp"
#include "math/scratch_rows.hpp"

namespace stad {

/// Above this many dimensions the covariances take gigabytes, which `force = on` must accept.
inline constexpr Index kMostGaussDimensions = 1024;

/// Approximate bytes that a stad-gauss adapter allocates.
double gauss_memory(const SourceModel& source, const StadGaussOptions& options);

/// STAD in Euclidean space: class prototypes tracked by a mixture of Kalman filters over a sliding window.
class StadGaussAdapter final : public Adapter {
 public:
  /// The source's rows must have a direction, and its mean must be known where the options centre by it.
  StadGaussAdapter(SourceModel source, const StadGaussOptions& options);

  std::string_view method() const override { return "stad-gauss"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return to_matrix(current()); }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  /// H: features centred if the options say so, scaled to unit length.
  struct Represented {
    DoubleRowsMap unit;               ///< n x D
    std::span<const Index> directed;  ///< n: where in the batch the rows come from
  };
  Represented represent(MatrixView features, Scratch& scratch) const;
  /// Appends the batch to the window; the oldest step of a full window leaves it, and its filtered beliefs become the
  /// start of the forward pass.
  void slide(const DoubleRowsMap& features);
  /// Returns the number of classes that were reset to the prior.
  Index fit_window();
  /// Served scores of unit rows under the current prototypes, n x K.
  void score(const DoubleRowsMap& unit, DoubleRowsMap served) const;

  const DoubleRows& current() const;

  StadGaussOptions options_;
  gaussian::GaussPrior prior_;
  gaussian::GaussParams params_;
  gaussian::GaussWindow window_;
};

}  // namespace stad
