#pragma once

#include <string_view>

#include <stad/options.hpp>

namespace stad {

// As in option_list.hpp: one list a method names every option once.

inline constexpr double kLargestLearningRate = 10;
inline constexpr Index kMostAugmentations = 1'000;
inline constexpr Index kLargestMemory = 100'000;
inline constexpr Index kLargestSeed = 1'000'000'000;

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
  visit.number("momentum", o.momentum, 0, 1, "of the stochastic gradient descent");
}

template <typename Options, typename Visitor>
void visit_seed(Options& o, Visitor& visit) {
  visit.integer("seed", o.seed, 0, kLargestSeed, "of the method's own random numbers");
}

template <typename Visitor>
void visit_options(BnOptions& o, Visitor&& visit) {
  visit.number("source_share", o.source_share, 0, 1, "of the source's statistics in a blend with the batch's");
  visit.number("momentum", o.momentum, 0, 1, "of a moving average over batches; 1: the batch alone");
}

template <typename Visitor>
void visit_options(TentOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
}

template <typename Visitor>
void visit_options(ShotOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.number("beta", o.beta, 0, 1e3, "weight of the pseudo-labels in the loss");
  visit.number("confidence", o.confidence, 0, 1, "a pseudo-label counts above this probability");
  visit_momentum(o, visit);
}

template <typename Visitor>
void visit_options(SarOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.number("rho", o.rho, 0, 10, "radius of the neighbourhood whose worst loss is minimised");
  visit.number("reliable", o.reliable, 0, 1, "samples count below this share of the largest entropy, ln K");
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
  visit.number("teacher_momentum", o.teacher_momentum, 0, 1, "what the teacher keeps of itself at each step");
  visit.number("restore", o.restore, 0, 1, "chance of each weight to return to its source value");
  visit_seed(o, visit);
}

template <typename Visitor>
void visit_options(RottaOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.integer("memory", o.memory, 1, kLargestMemory, "samples the memory holds");
  visit.integer("update_every", o.update_every, 1, kLargestMemory, "arrivals between two steps");
  visit.number("statistics_momentum", o.statistics_momentum, 0, 1, "of the robust batch statistics");
  visit.number("teacher_momentum", o.teacher_momentum, 0, 1, "what the teacher keeps of itself at each step");
  visit.number("timeliness", o.timeliness, 0, 1e3, "weight of a sample's age in what the memory lets go");
  visit.number("uncertainty", o.uncertainty, 0, 1e3, "weight of a sample's entropy in what the memory lets go");
  visit_seed(o, visit);
}

template <typename Visitor>
void visit_options(CmfOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit_momentum(o, visit);
  visit.number("alpha", o.alpha, 0, 1, "what the hidden parameters keep; the rest returns to the source");
  visit.number("gamma", o.gamma, 0, 1, "what the model keeps of itself beside the hidden one");
  visit.number("process_noise", o.process_noise, 0, 1, "of the filter, for 38,400 trained values");
  visit_seed(o, visit);
}

template <typename Visitor>
void visit_options(OracleOptions& o, Visitor&& visit) {
  visit_learning_rate(o, visit);
  visit.number("share", o.share, 0.001, 0.9, "of each time step's rows, labelled and not scored");
  visit.integer("batch_size", o.batch_size, 1, kLargestMemory, "rows a training step");
  visit_seed(o, visit);
}

}  // namespace stad
