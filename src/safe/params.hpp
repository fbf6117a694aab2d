#pragma once

#include <array>

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

/// Constants of the certificate. The proof needs bets that are fixed beforehand; docs/certificate.md states it.
struct CertificateParams {
  std::array<double, 4> bets{0.1, 0.25, 0.5, 0.75};  ///< lambda: shares of the wealth staked on a label
  double error = 0.05;       ///< delta: half the probability that a candidate is ever admitted that is not better
  double set_aside = 10;     ///< watch of a candidate that does not answer at which its labels stop counting
  Index retry_labels = 500;  ///< labels after which a candidate that was set aside starts again
  double revoke = 3;         ///< watch of the answering candidate at which the base answers again
  double takeover = 3;       ///< times the wealth of the answering candidate that another one needs to replace it
};

/// Constants of the label requests.
struct RequestParams {
  double early = 2;      ///< times the uniform rate at which a period starts; the rate falls as the budget does
  double uniform = 0.1;  ///< share of the budget for rows drawn whether contested or not, which teach candidates that
                         ///< do not differ from the base yet
  Index most_pending = 10'000;  ///< requests that may wait for labels: bounds the memory
  double share_rows = 1000;     ///< memory of the share of contested rows
  double share_prior = 0.3;     ///< of contested rows, before the first
  double share_prior_rows = 64;
};

/// Constants of the head correction.
struct CorrectionParams {
  Index rows = 200;  ///< newest labelled rows that are kept
  double ridge = 1;  ///< lambda: weight of the squared norm of the correction against the log-loss of one row
  int steps = 10;    ///< gradient steps after labels arrived, from the correction before
};

/// Constants of candidates, requests and certificate.
struct ContestParams {
  CertificateParams certificate;
  RequestParams requests;
  CorrectionParams correction;
};

}  // namespace stad::safe
