#pragma once

#include <span>

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "gaussian/em.hpp"
#include "gaussian/params.hpp"
#include "gaussian/window.hpp"
#include "math/scratch_rows.hpp"

namespace stad {

/// Beyond this many dimensions the covariances take so much memory that it must be asked for.
inline constexpr Index kMostGaussDimensions = 1024;

/// Bytes a stad-gauss adapter needs at work, about.
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

  /// H: centred where the options say so, of unit length.
  struct Represented {
    DoubleRowsMap unit;               ///< n x D
    std::span<const Index> directed;  ///< n: where in the batch the rows come from
  };
  Represented represent(MatrixView features, Scratch& scratch) const;
  /// Makes room for the new batch; the oldest step may slide out and its filtered beliefs become the start.
  void slide(const DoubleRowsMap& features);
  /// Returns how many classes had to start again.
  Index fit_window();
  /// What is served for these unit rows by the prototypes as they are now. n x K.
  void score(const DoubleRowsMap& unit, DoubleRowsMap served) const;

  const DoubleRows& current() const;

  StadGaussOptions options_;
  gaussian::Prior prior_;
  gaussian::Params params_;
  gaussian::Window window_;
};

}  // namespace stad
