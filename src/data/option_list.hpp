#pragma once

#include <array>
#include <string_view>

#include <stad/options.hpp>

#include "math/concentration.hpp"

namespace stad {

/// A name of an enumerated option value.
template <typename Enum>
struct Choice {
  std::string_view name;
  Enum value;
};

inline constexpr std::array kSwitch{Choice<bool>{"on", true}, Choice<bool>{"off", false}};

// One function a method lists its options: name, field, rule and summary of each. Parsing, validation, the resolved
// configuration and `stad methods` visit these lists.

inline constexpr std::array kCenters{Choice<Center>{"none", Center::kNone}, Choice<Center>{"source", Center::kSource}};
inline constexpr std::array kInits{Choice<Init>{"source", Init::kSource}, Choice<Init>{"previous", Init::kPrevious}};
inline constexpr std::array kLearnKappas{Choice<LearnKappa>{"none", LearnKappa::kNone},
                                         Choice<LearnKappa>{"global", LearnKappa::kGlobal},
                                         Choice<LearnKappa>{"class", LearnKappa::kClass}};
inline constexpr std::array kPredicts{Choice<Predict>{"after", Predict::kAfter},
                                      Choice<Predict>{"before", Predict::kBefore}};
inline constexpr std::array kVmfProbabilities{Choice<VmfProbabilities>{"paper", VmfProbabilities::kPaper},
                                              Choice<VmfProbabilities>{"scaled", VmfProbabilities::kScaled},
                                              Choice<VmfProbabilities>{"posterior", VmfProbabilities::kPosterior}};
inline constexpr std::array kGaussScores{Choice<GaussScore>{"dot", GaussScore::kDot},
                                         Choice<GaussScore>{"unit", GaussScore::kUnit},
                                         Choice<GaussScore>{"likelihood", GaussScore::kLikelihood}};

inline constexpr std::array kNormaliseKinds{Choice<NormaliseKind>{"recentre", NormaliseKind::kRecentre},
                                            Choice<NormaliseKind>{"half", NormaliseKind::kHalf},
                                            Choice<NormaliseKind>{"standardise", NormaliseKind::kStandardise}};

inline constexpr std::array kLabelUnits{Choice<LabelUnit>{"rows", LabelUnit::kRows},
                                        Choice<LabelUnit>{"time", LabelUnit::kTime}};
/// Methods that stad-safe can run beside its base.
inline constexpr std::array<std::string_view, 10> kCandidateNames{
    "chains", "fine-tune", "standardise", "recentre", "half", "prior", "stad-vmf", "stad-gauss", "lame", "t3a"};

inline constexpr Index kMostLabels = 100'000;
inline constexpr double kLongestPeriod = 1e15;
inline constexpr Index kLongestExpiry = 1'000'000'000;
inline constexpr Index kMostRefreshRows = 1'000'000;
inline constexpr Index kMostSupports = 1'000'000;
inline constexpr Index kMostNeighbours = 10'000;
inline constexpr Index kLongestWindow = 1'000;
inline constexpr Index kMostSweeps = 1'000;
inline constexpr Index kLargestSeed = 1'000'000'000;

inline std::string_view method_name(const SourceOptions&) { return "source"; }
inline std::string_view method_name(const T3aOptions&) { return "t3a"; }
inline std::string_view method_name(const LameOptions&) { return "lame"; }
inline std::string_view method_name(const StadVmfOptions&) { return "stad-vmf"; }
inline std::string_view method_name(const StadGaussOptions&) { return "stad-gauss"; }
inline std::string_view method_name(const NormaliseOptions&) { return "normalise"; }
inline std::string_view method_name(const PriorOptions&) { return "prior"; }
inline std::string_view method_name(const StadSafeOptions&) { return "stad-safe"; }

template <typename Visitor>
void visit_options(SourceOptions&, Visitor&&) {}

template <typename Visitor>
void visit_options(StadSafeOptions& o, Visitor&& visit) {
  visit.integer("label_budget", o.label_budget, 0, kMostLabels, "labels requested in a period");
  visit.number("label_period", o.label_period, 1e-9, kLongestPeriod, "length of a period, in label_unit");
  visit.choice("label_unit", o.label_unit, kLabelUnits, "rows, or units of the times of the batches");
  visit.integer("label_expiry", o.label_expiry, 1, kLongestExpiry,
                "rows after which a request without a label counts against the candidates");
  visit.names("candidates", o.candidates, kCandidateNames,
              "methods that labels may admit; auto: chains,fine-tune if there is a label budget or a certificate");
  visit.integer("seed", o.seed, 0, kLargestSeed, "seed of the draw of requested rows");
}

template <typename Visitor>
void visit_options(NormaliseOptions& o, Visitor&& visit) {
  visit.choice("kind", o.kind, kNormaliseKinds,
               "the mean of the features; the mean of that and the source; mean and variance");
}

template <typename Visitor>
void visit_options(PriorOptions& o, Visitor&& visit) {
  visit.integer("refresh", o.refresh, 1, kMostRefreshRows, "rows between two estimates of the class proportions");
}

template <typename Visitor>
void visit_options(T3aOptions& o, Visitor&& visit) {
  visit.integer_or_all("supports", o.supports, 1, kMostSupports, "lowest-entropy supports kept for each class");
}

template <typename Visitor>
void visit_options(LameOptions& o, Visitor&& visit) {
  visit.integer("neighbours", o.neighbours, 1, kMostNeighbours, "nearest rows of the batch that a row is linked to");
}

template <typename Visitor>
void visit_options(StadVmfOptions& o, Visitor&& visit) {
  visit.number("kappa_trans", o.kappa_trans, kLeastConcentration, kLargestConcentration,
               "concentration of the transitions: large keeps prototypes in place");
  visit.number("kappa_ems", o.kappa_ems, kLeastConcentration, kLargestConcentration,
               "concentration of the features around their prototype: large makes assignments hard");
  visit.number("kappa_0", o.kappa_0, kLeastConcentration, kLargestConcentration,
               "concentration of the first prototypes around the source weights");
  visit.integer("window", o.window, 0, kLongestWindow, "earlier batches kept beside the newest one");
  visit.integer("sweeps", o.sweeps, 1, kMostSweeps, "EM sweeps over the window for each batch");
  visit.choice("init", o.init, kInits, "initial prototypes of a new batch");
  visit.choice("learn_kappa", o.learn_kappa, kLearnKappas, "learn no concentrations, one for all classes, or one each");
  visit.choice("center", o.center, kCenters,
               "vector subtracted from the features before they are scaled to unit length");
  visit.choice("dynamics", o.dynamics, kSwitch, "off: every batch is independent (the static ablation)");
  visit.choice("predict", o.predict, kPredicts, "predict a batch after or before adapting to it");
  visit.choice("probabilities", o.probabilities, kVmfProbabilities,
               "softmax of cosines; times kappa_ems; with the class proportions as well");
}

template <typename Visitor>
void visit_options(StadGaussOptions& o, Visitor&& visit) {
  visit.integer("window", o.window, 0, kLongestWindow, "earlier batches kept beside the newest one");
  visit.integer("sweeps", o.sweeps, 1, kMostSweeps, "EM sweeps over the window for each batch");
  visit.choice("init", o.init, kInits, "initial prototypes of a new batch");
  visit.choice("center", o.center, kCenters,
               "vector subtracted from the features before they are scaled to unit length");
  visit.number("initial_variance", o.initial_variance, 1e-9, 1e5, "variance of the prior around the source weights");
  visit.choice("learn_transition", o.learn_transition, kSwitch, "off: the transition matrices stay the identity");
  visit.choice("dynamics", o.dynamics, kSwitch, "off: every batch is independent (the static ablation)");
  visit.choice("predict", o.predict, kPredicts, "predict a batch after or before adapting to it");
  visit.choice("score", o.score, kGaussScores,
               "inner product with the mean, with its direction, or Mahalanobis distance");
  visit.choice("force", o.force, kSwitch, "on: accept more than 1024 dimensions regardless of memory");
}

// Methods that adapt a network.

inline constexpr double kLargestLearningRate = 10;
inline constexpr Index kMostAugmentations = 1'000;
inline constexpr Index kLargestMemory = 100'000;

inline std::string_view method_name(const BnOptions&) { return "bn"; }
inline std::string_view method_name(const TentOptions&) { return "tent"; }
inline std::string_view method_name(const ShotOptions&) { return "shot"; }
inline std::string_view method_name(const SarOptions&) { return "sar"; }
inline std::string_view method_name(const CottaOptions&) { return "cotta"; }
inline std::string_view method_name(const RottaOptions&) { return "rotta"; }
inline std::string_view method_name(const CmfOptions&) { return "cmf"; }
inline std::string_view method_name(const OracleOptions&) { return "oracle"; }

template <typename Options, typename Visitor>
void visit_learning_rate(Options& o, Visitor& visit) {
  visit.number("learning_rate", o.learning_rate, 0, kLargestLearningRate, "step size of the optimiser");
}

template <typename Options, typename Visitor>
void visit_momentum(Options& o, Visitor& visit) {
  visit.number("momentum", o.momentum, 0, 1, "momentum of the stochastic gradient descent");
}

template <typename Options, typename Visitor>
void visit_seed(Options& o, Visitor& visit) {
  visit.integer("seed", o.seed, 0, kLargestSeed, "seed of the method's random numbers");
}

template <typename Visitor>
void visit_options(BnOptions& o, Visitor&& visit) {
  visit.number("source_share", o.source_share, 0, 1, "weight of the source's statistics in the blend with the batch's");
  visit.number("momentum", o.momentum, 0, 1, "momentum of the moving average over batches; 1: the batch alone");
}

template <typename Visitor>
void visit_options(TentOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
}

template <typename Visitor>
void visit_options(ShotOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.number("beta", o.beta, 0, 1e3, "weight of the pseudo-labels in the loss");
  visit.number("confidence", o.confidence, 0, 1, "pseudo-labels below this probability are ignored");
  visit_momentum(o, visit);
}

template <typename Visitor>
void visit_options(SarOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.number("rho", o.rho, 0, 10, "radius of the neighbourhood whose worst loss is minimised");
  visit.number("reliable", o.reliable, 0, 1, "samples above this share of the largest entropy, ln K, are ignored");
  visit.number("reset_below", o.reset_below, 0, 1e3,
               "the model returns to the source when its moving loss falls below");
  visit_momentum(o, visit);
}

template <typename Visitor>
void visit_options(CottaOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.integer("augmentations", o.augmentations, 1, kMostAugmentations,
                "views the teacher's logits are averaged over");
  visit.number("confidence", o.confidence, 0, 1, "below this mean confidence of the source model the views are used");
  visit.number("teacher_momentum", o.teacher_momentum, 0, 1, "share of itself that the teacher keeps at each step");
  visit.number("restore", o.restore, 0, 1, "probability of each weight to be reset to its source value");
  visit_seed(o, visit);
}

template <typename Visitor>
void visit_options(RottaOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.integer("memory", o.memory, 1, kLargestMemory, "samples the memory holds");
  visit.integer("update_every", o.update_every, 1, kLargestMemory, "arrivals between two steps");
  visit.number("statistics_momentum", o.statistics_momentum, 0, 1, "momentum of the robust batch statistics");
  visit.number("teacher_momentum", o.teacher_momentum, 0, 1, "share of itself that the teacher keeps at each step");
  visit.number("timeliness", o.timeliness, 0, 1e3, "weight of a sample's age in the choice of the sample to discard");
  visit.number("uncertainty", o.uncertainty, 0, 1e3,
               "weight of a sample's entropy in the choice of the sample to discard");
  visit_seed(o, visit);
}

template <typename Visitor>
void visit_options(CmfOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit_momentum(o, visit);
  visit.number("alpha", o.alpha, 0, 1,
               "share of themselves that the hidden parameters keep; the remainder is from the source");
  visit.number("gamma", o.gamma, 0, 1, "share of itself that the model keeps in the blend with the hidden parameters");
  visit.number("process_noise", o.process_noise, 0, 1, "process noise of the filter for 38,400 trained values");
  visit_seed(o, visit);
}

template <typename Visitor>
void visit_options(OracleOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.number("share", o.share, 0.001, 0.9, "share of each time step's rows that are labelled and not scored");
  visit.integer("batch_size", o.batch_size, 1, kLargestMemory, "rows a training step");
  visit_seed(o, visit);
}

}  // namespace stad
