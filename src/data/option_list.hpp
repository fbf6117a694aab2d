#pragma once

#include <array>
#include <string_view>

#include <stad/options.hpp>

#include "data/choice.hpp"
#include "math/concentration.hpp"

namespace stad {

// One list a method names every option once: its name, field, rule and a line for people. Parsing, validation, the
// resolved configuration and `stad methods` all visit these lists.

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

inline constexpr Index kMostSupports = 1'000'000;
inline constexpr Index kMostNeighbours = 10'000;
inline constexpr Index kLongestWindow = 1'000;
inline constexpr Index kMostSweeps = 1'000;

inline std::string_view method_name(const SourceOptions&) { return "source"; }
inline std::string_view method_name(const T3aOptions&) { return "t3a"; }
inline std::string_view method_name(const LameOptions&) { return "lame"; }
inline std::string_view method_name(const StadVmfOptions&) { return "stad-vmf"; }
inline std::string_view method_name(const StadGaussOptions&) { return "stad-gauss"; }
inline std::string_view method_name(const StadSafeOptions&) { return "stad-safe"; }

template <typename Visitor>
void visit_options(SourceOptions&, Visitor&&) {}

template <typename Visitor>
void visit_options(StadSafeOptions& o, Visitor&& visit) {
  visit.choice("unknown", o.unknown, kSwitch, "on: rows may be of none of the classes; they are reported, not learned");
}

template <typename Visitor>
void visit_options(T3aOptions& o, Visitor&& visit) {
  visit.integer_or_all("supports", o.supports, 1, kMostSupports, "lowest-entropy supports kept for each class");
}

template <typename Visitor>
void visit_options(LameOptions& o, Visitor&& visit) {
  visit.integer("neighbours", o.neighbours, 1, kMostNeighbours, "nearest rows of the batch that a row agrees with");
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
  visit.choice("init", o.init, kInits, "where a new batch's prototypes start");
  visit.choice("learn_kappa", o.learn_kappa, kLearnKappas, "learn no concentrations, one for all classes, or one each");
  visit.choice("center", o.center, kCenters,
               "what is subtracted from the features before they are scaled to unit length");
  visit.choice("dynamics", o.dynamics, kSwitch, "off: every batch by itself (the static ablation)");
  visit.choice("predict", o.predict, kPredicts, "answer a batch after adapting on it, or before");
  visit.choice("probabilities", o.probabilities, kVmfProbabilities,
               "softmax of cosines; times kappa_ems; with the class proportions as well");
}

template <typename Visitor>
void visit_options(StadGaussOptions& o, Visitor&& visit) {
  visit.integer("window", o.window, 0, kLongestWindow, "earlier batches kept beside the newest one");
  visit.integer("sweeps", o.sweeps, 1, kMostSweeps, "EM sweeps over the window for each batch");
  visit.choice("init", o.init, kInits, "where a new batch's prototypes start");
  visit.choice("center", o.center, kCenters,
               "what is subtracted from the features before they are scaled to unit length");
  visit.number("initial_variance", o.initial_variance, 1e-9, 1e5, "variance of the prior around the source weights");
  visit.choice("learn_transition", o.learn_transition, kSwitch, "off: the transition matrices stay the identity");
  visit.choice("dynamics", o.dynamics, kSwitch, "off: every batch by itself (the static ablation)");
  visit.choice("predict", o.predict, kPredicts, "answer a batch after adapting on it, or before");
  visit.choice("score", o.score, kGaussScores,
               "inner product with the mean, with its direction, or Mahalanobis distance");
  visit.choice("force", o.force, kSwitch, "on: accept more than 1024 dimensions, whatever memory it takes");
}

}  // namespace stad
