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

// Options of the methods that adapt a network, not only its last layer. They need the torch component and a network;
// what each does is said in docs/methods.

/// Batch normalisation with the statistics of what arrives.
struct STAD_API BnOptions {
  double source_share = 0;  ///< of the source's statistics in a blend with the batch's
  double momentum = 1;      ///< of a moving average over batches; 1: the batch alone

  Status validate() const;
};

/// Entropy minimisation over the scale and shift of norm layers.
struct STAD_API TentOptions {
  double learning_rate = 1e-3;

  Status validate() const;
};

/// Information maximisation with confident pseudo-labels over the whole extractor.
struct STAD_API ShotOptions {
  double learning_rate = 1e-3;
  double beta = 0.1;        ///< weight of the pseudo-labels
  double confidence = 0.9;  ///< a pseudo-label counts above it
  double momentum = 0.9;

  Status validate() const;
};

/// Sharpness-aware, reliable entropy minimisation.
struct STAD_API SarOptions {
  double learning_rate = 0.00025;
  double rho = 0.05;         ///< radius of the neighbourhood
  double reliable = 0.4;     ///< E_0 as a share of ln K: samples below it are kept
  double reset_below = 0.2;  ///< the moving loss that tells a collapse
  double momentum = 0.9;

  Status validate() const;
};

/// Continual adaptation by a weight-averaged, augmentation-averaged teacher with stochastic restore.
struct STAD_API CottaOptions {
  double learning_rate = 1e-3;
  Index augmentations = 32;
  double confidence = 0.92;  ///< below this mean confidence of the source model the teacher averages augmentations
  double teacher_momentum = 0.999;
  double restore = 0.01;  ///< chance of a weight to return to its source value
  Index seed = 0;

  Status validate() const;
};

/// Robust statistics, a balanced memory and a timely teacher.
struct STAD_API RottaOptions {
  double learning_rate = 1e-3;
  Index memory = 64;        ///< samples kept
  Index update_every = 64;  ///< arrivals between two steps
  double statistics_momentum = 0.05;
  double teacher_momentum = 0.999;
  double timeliness = 1;   ///< lambda_t
  double uncertainty = 1;  ///< lambda_u
  Index seed = 0;

  Status validate() const;
};

/// Certainty- and diversity-weighted adaptation with a Kalman filter on the parameters.
struct STAD_API CmfOptions {
  double learning_rate = 0.00025;
  double momentum = 0.9;
  double alpha = 0.99;           ///< how fast the hidden parameters return to the source's
  double gamma = 0.99;           ///< how much of itself the model keeps beside the hidden one
  double process_noise = 0.005;  ///< q for 38,400 trained values; scaled by their number
  Index seed = 0;

  Status validate() const;
};

/// Fine-tuning with labels, an epoch a time step: what labels would give. Not a method to deploy.
struct STAD_API OracleOptions {
  double learning_rate = 1e-3;
  double share = 0.1;  ///< of each time step's rows, labelled and not scored
  Index batch_size = 32;
  Index seed = 0;

  Status validate() const;
};

}  // namespace stad
