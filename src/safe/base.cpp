#include "safe/base.hpp"

namespace stad::safe {
namespace {

/// The source's label of every row: the first largest logit.
std::span<const Index> labels_of(const DoubleRowsMap& logits, Scratch& scratch) {
  const auto labels = scratch.take<Index>(logits.rows());
  for (Index n = 0; n < logits.rows(); ++n) logits.row(n).maxCoeff(&labels[n]);
  return labels;
}

}  // namespace

Eigen::VectorXd class_prior(const SourceModel& source, double floor) {
  const Index classes = source.classes();
  const auto& frequencies = source.card().frequencies;
  Eigen::VectorXd prior = Eigen::VectorXd::Constant(classes, 1 / static_cast<double>(classes));
  if (!frequencies.empty()) prior = as_array(std::span(frequencies)).cast<double>();
  prior.array() += floor / static_cast<double>(classes);
  return prior / prior.sum();
}

Base::Base(const SourceModel& source, const Eigen::VectorXd& prior, const Params& params)
    : params_(params),
      persistence_(source.classes(), params),
      whiteness_(source, params),
      chains_(prior, params),
      loss_(source, prior, params) {
  decide();
}

void Base::adapt(const DoubleRowsMap& logits, std::optional<double> time, FloatRowsMap probabilities,
                 FloatRowsMap* chains) {
  Scratch scratch;
  const auto labels = labels_of(logits, scratch);
  persistence_.add(labels, time);
  whiteness_.add(logits, probabilities, rows_);
  rows_ += logits.rows();
  decide();
  chains_.add_to_law(probabilities);
  loss_.add(logits, labels, probabilities, chains_.proportions(scratch));
  if (chains) {
    *chains = probabilities;
    chains_.filter_and_answer(*chains);
    if (guard_.chains) probabilities = *chains;
  } else if (guard_.chains) {
    chains_.filter_and_answer(probabilities);
  } else {
    chains_.filter(probabilities);
  }
}

void Base::predict(FloatRowsMap probabilities) const {
  if (guard_.chains) chains_.answer(probabilities);
}

void Base::decide() {
  guard_.zeta = persistence_.zeta();
  guard_.excess = persistence_.excess();
  guard_.autocorrelation = whiteness_.autocorrelation();
  guard_.held_by = GuardTest::kNone;
  if (guard_.autocorrelation > params_.most_autocorrelation) guard_.held_by = GuardTest::kAutocorrelation;
  if (guard_.excess < params_.least_excess) guard_.held_by = GuardTest::kExcess;
  if (guard_.zeta < params_.least_zeta) guard_.held_by = GuardTest::kZeta;
  if (rows_ <= params_.least_rows) guard_.held_by = GuardTest::kRows;
  guard_.chains = guard_.held_by == GuardTest::kNone;
}

void Base::restore(Index rows) {
  rows_ = rows;
  decide();
}

}  // namespace stad::safe
