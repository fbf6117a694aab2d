#pragma once

#include <stad/matrix.hpp>

namespace stad::safe {

/// Constants of the guarded default. docs/methods/stad-safe.md states what each is worth on data sets that did not
/// choose it.
struct Params {
  // Class prior of the card.
  double prior_floor = 0.01;  ///< mass spread over all classes, so that none is impossible

  // Persistence of labels.
  Index window = 256;             ///< labels of a window: enough for a variance, few enough to follow a change
  Index shortest_window = 64;     ///< a window this long closes where the time changes
  Index windows = 4;              ///< closed windows that are summed
  double least_zeta = 4;          ///< standard deviations: one window in 30,000 by chance
  double least_excess = 0.3;      ///< of the possible excess: weaker persistence gains less than its errors cost
  double least_excess_pairs = 8;  ///< pairs below which the possible excess counts as this many

  // Autocorrelation of the noise around the class means.
  double most_autocorrelation = 0.3;  ///< above it, neighbours repeat errors, which chains would confirm
  Index centre_rows = 200;            ///< residuals whose mean is subtracted, to remove slow drift
  Index autocorrelation_rows = 1000;  ///< products of neighbours that are averaged
  Index mean_rows = 256;              ///< without a card: rows that class means are estimated from
  double mean_prior_rows = 5;         ///< without a card: rows that the feature mean is worth in each class mean

  Index least_rows = 256;  ///< rows seen before anything but the source answers, and before a warning level

  // Stationary law of the chains.
  double law_rows = 1000;       ///< memory of the running mean of the probabilities
  double law_prior_rows = 100;  ///< rows that the prior is worth
  double law_floor = 1e-3;      ///< mass spread over all classes

  // Weights of the chains.
  double score_rows = 600;  ///< memory of the log-likelihood ratios
  double entry_cost = 5;    ///< subtracted from the log-likelihood ratio of every chain, in favour of independence

  // Warning level.
  double loss_rows = 500;               ///< memory of confidence, agreement and mean logits
  double loss_prior_rows = 100;         ///< rows that the source's mean is worth
  double loss_least_proportion = 1e-6;  ///< a rarer class counts as this frequent
  double watch_loss = 0.04;             ///< estimated loss of accuracy from which the level is watch
  double act_loss = 0.08;               ///< twice that: act
};

}  // namespace stad::safe
