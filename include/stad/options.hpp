#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// What is subtracted from the features.
enum class Center { kNone, kSource };
/// Where a new batch's prototypes start.
enum class Init { kSource, kPrevious };
/// What the M-step learns on the sphere.
enum class LearnKappa { kNone, kGlobal, kClass };
/// Answer after adapting on the batch, or before.
enum class Predict { kAfter, kBefore };
/// What cosines become: softmax of them, times kappa_ems, or with the class proportions too.
enum class VmfProbabilities { kPaper, kScaled, kPosterior };
/// What a feature scores with a mean: their product, that with a mean of unit length, or its log-density.
enum class GaussScore { kDot, kUnit, kLikelihood };

/// The unadapted classifier: softmax(W_0 h + b).
struct STAD_API SourceOptions {
  Status validate() const;
};

/// Test-time classifier adjustment: class weights from the most certain features seen.
struct STAD_API T3aOptions {
  std::optional<Index> supports = 100;  ///< M lowest-entropy supports a class; none: keep all

  Status validate() const;
};

/// Laplacian adjusted maximum-likelihood estimation: neighbours inside a batch agree.
struct STAD_API LameOptions {
  Index neighbours = 5;  ///< k

  Status validate() const;
};

/// STAD on the unit sphere.
struct STAD_API StadVmfOptions {
  double kappa_trans = 100;  ///< concentration of the transitions
  double kappa_ems = 100;    ///< concentration of the features around their prototype
  double kappa_0 = 100;      ///< concentration of the first prototypes around the source weights
  Index window = 3;          ///< s: up to s + 1 batches are kept
  Index sweeps = 1;          ///< EM sweeps a batch
  Init init = Init::kSource;
  LearnKappa learn_kappa = LearnKappa::kNone;
  Center center = Center::kNone;
  bool dynamics = true;  ///< off: every batch by itself, the static ablation
  Predict predict = Predict::kAfter;
  VmfProbabilities probabilities = VmfProbabilities::kScaled;

  Status validate() const;
};

/// STAD in Euclidean space: a mixture of Kalman filters.
struct STAD_API StadGaussOptions {
  Index window = 3;
  Index sweeps = 1;
  Init init = Init::kSource;
  Center center = Center::kNone;
  double initial_variance = 1;   ///< of the prior around the source weights
  bool learn_transition = true;  ///< off: A_k stays the identity
  bool dynamics = true;
  Predict predict = Predict::kAfter;
  GaussScore score = GaussScore::kDot;
  bool force = false;  ///< accept more than 1024 dimensions whatever the memory

  Status validate() const;
};

/// STAD that follows drift where it can and leaves the answer to the source where it cannot: nothing to tune.
struct STAD_API StadSafeOptions {
  bool unknown = false;  ///< whether rows may be of none of the classes, which are then reported and not learned from

  Status validate() const;
};

/// Options as a person writes them: name and value, in any order.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

/// One option with the value in force.
struct OptionSetting {
  std::string name;
  std::string value;
  bool is_number = false;

  bool operator==(const OptionSetting&) const = default;
};

/// What there is to know about an option, from the one place that declares it.
struct OptionInfo {
  std::string name;
  std::string default_value;
  std::string rule;  ///< "must be ..."
  std::string summary;
};

/// Sets the named fields and validates the whole. Instantiated for the options types above and those of
/// network_options.hpp.
template <typename Options>
STAD_API Result<Options> parse_options(const OptionValues& values);

/// Every option with its value, in the method's order.
template <typename Options>
STAD_API std::vector<OptionSetting> resolved_options(const Options& options);

/// Every option with its default, rule and line of help.
template <typename Options>
STAD_API std::vector<OptionInfo> describe_options();

}  // namespace stad
