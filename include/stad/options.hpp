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

/// Vector that is subtracted from the features: none, or the mean of the source.
enum class Center { kNone, kSource };
/// Initial prototypes of a new batch.
enum class Init { kSource, kPrevious };
/// Concentrations that the M-step learns: none, one for all classes, or one a class.
enum class LearnKappa { kNone, kGlobal, kClass };
/// Predict a batch after or before adapting to it.
enum class Predict { kAfter, kBefore };
/// Probabilities: softmax of the cosines, of the cosines times kappa_ems, or with class proportions as well.
enum class VmfProbabilities { kPaper, kScaled, kPosterior };
/// Score of a feature: inner product with the mean, with the normalised mean, or the log-density.
enum class GaussScore { kDot, kUnit, kLikelihood };

/// The unadapted classifier: softmax(W_0 h + b).
struct STAD_API SourceOptions {
  Status validate() const;
};

/// Test-time classifier adjustment: class weights from the features of lowest entropy.
struct STAD_API T3aOptions {
  std::optional<Index> supports = 100;  ///< M supports of lowest entropy a class; none: all

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

/// Statistic of the features that `normalise` brings back to its source value.
enum class NormaliseKind { kRecentre, kHalf, kStandardise };

/// Running normalisation of the features before the head: their mean, and their variance with it.
struct STAD_API NormaliseOptions {
  NormaliseKind kind = NormaliseKind::kRecentre;

  Status validate() const;
};

/// Corrects the probabilities of the source by class proportions estimated from recent rows.
struct STAD_API PriorOptions {
  Index refresh = 64;  ///< rows between two estimates

  Status validate() const;
};

/// Unit of the period of a label budget.
enum class LabelUnit { kRows, kTime };

/// The guarded default: the source, or label chains where tests allow them. With a label budget, candidates run beside
/// it, and labels of requested rows decide whether one of them answers.
struct STAD_API StadSafeOptions {
  Index label_budget = 0;        ///< labels requested a period; 0: none
  double label_period = 10'000;  ///< rows, or units of the batches' times
  LabelUnit label_unit = LabelUnit::kRows;
  Index label_expiry = 10'000;  ///< rows after which a request without a label counts against the candidates
  /// Names separated by commas, or none. auto: chains and fine-tune if there is a label budget or the source has a
  /// certificate, otherwise none.
  std::string candidates = "auto";
  Index seed = 0;  ///< of the draw of requested rows

  Status validate() const;
};

/// Options as text: name and value, in any order.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

/// One option with its resolved value.
struct OptionSetting {
  std::string name;
  std::string value;
  bool is_number = false;

  bool operator==(const OptionSetting&) const = default;
};

/// Description of an option.
struct OptionInfo {
  std::string name;
  std::string default_value;
  std::string rule;  ///< "must be ..."
  std::string summary;
};

/// Parses and validates options. Instantiated for all option structs of this header.
template <typename Options>
STAD_API Result<Options> parse_options(const OptionValues& values);

/// All options with their values, in the order of the method.
template <typename Options>
STAD_API std::vector<OptionSetting> resolved_options(const Options& options);

/// All options with default, rule and summary.
template <typename Options>
STAD_API std::vector<OptionInfo> describe_options();

// Options of the methods that adapt a network, not only its last layer. They need the torch component and a network;
// docs/methods describes them.

/// Batch normalisation with statistics of the test batches.
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
  double reset_below = 0.2;  ///< moving loss below which the model is reset
  double momentum = 0.9;

  Status validate() const;
};

/// Continual adaptation by a weight-averaged, augmentation-averaged teacher with stochastic restore.
struct STAD_API CottaOptions {
  double learning_rate = 1e-3;
  Index augmentations = 32;
  double confidence = 0.92;  ///< below this mean confidence of the source model the teacher averages augmentations
  double teacher_momentum = 0.999;
  double restore = 0.01;  ///< probability of a weight to be reset to its source value
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
  double alpha = 0.99;           ///< share of themselves that the hidden parameters keep
  double gamma = 0.99;           ///< share of itself that the model keeps
  double process_noise = 0.005;  ///< q for 38,400 trained values; scaled by their number
  Index seed = 0;

  Status validate() const;
};

/// Supervised fine-tuning, one epoch a time step: an upper reference, not a method to deploy.
struct STAD_API OracleOptions {
  double learning_rate = 1e-3;
  double share = 0.1;  ///< of each time step's rows, labelled and not scored
  Index batch_size = 32;
  Index seed = 0;

  Status validate() const;
};

}  // namespace stad
