#include "safe/model.hpp"

#include <algorithm>
#include <cmath>

#include "math/inner_product.hpp"
#include "math/scratch_rows.hpp"
#include "math/softmax.hpp"

namespace stad::safe {
namespace {

constexpr double kAnchor = 5;  // rows that its source direction is worth
constexpr int kSweeps = 2;
constexpr double kPriorRows = 20;
constexpr double kPriorLikeness = 0.3;

// The source is believed in full as long as prototypes agree with it but for this share, and less the more they
// differ. Where labels persist it is believed longer: there the chains make up for its mistakes.
constexpr double kMixedDisagreement = 0.03;
constexpr double kPersistentDisagreement = 0.1;
constexpr double kLeastSharpness = 0.1;
constexpr float kRatioPower = 3;

// Prototypes are trusted where they can say what the source says, and heeded where they have something else to say.
constexpr double kLeastAgreement = 0.73;
constexpr double kAgreementWidth = 0.02;
constexpr double kLeastFlips = 0.05;
constexpr double kFlipsWidth = 0.004;

constexpr double kLeastPersistence = 0.45;
constexpr double kPersistenceWidth = 0.05;
constexpr double kNegligibleMass = 1e-3;

/// From 0 to 1, gently.
double step(double value, double middle, double width) { return 1 / (1 + std::exp((middle - value) / width)); }

/// `share` of what smoothing makes of the posteriors, and the rest of them as they are.
template <typename Smooth>
void blend(FloatRowsMap posteriors, double share, const Smooth& smooth) {
  Scratch scratch;
  auto smoothed = take_rows<float>(scratch, posteriors.rows(), posteriors.cols());
  smoothed = posteriors;
  smooth(smoothed);
  posteriors += static_cast<float>(share) * (smoothed - posteriors);
}

}  // namespace

/// What makes logits: concentration cosine + sharpness log p_source + offset.
struct Model::Terms {
  float concentration = 0;
  float sharpness = 1;
  std::span<const float> offsets;

  /// `trust` of these and the rest of the source's.
  void write(const SourceAnswer& source, const FloatRowsMap& cosines, double trust, FloatRowsMap logits) const {
    const auto weight = static_cast<float>(trust);
    for (Index n = 0; n < logits.rows(); ++n)
      logits.row(n) = weight * (concentration * cosines.row(n) + as_array(offsets).matrix().transpose()) +
                      (weight * sharpness + 1 - weight) * source.log_probabilities.row(n);
  }
};

Model::Model(FloatRows source_directions, bool has_background)
    : source_(std::move(source_directions)),
      memories_(source_.rows(), source_.cols(), kAnchor),
      shadow_(source_.rows(), source_.cols()),
      persistence_(source_.rows()),
      chains_(source_.rows()),
      likeness_(MovingMean::starting_at(kPriorLikeness, kPriorRows)),
      flips_(MovingMean::starting_at(0, kPriorRows)),
      borne_out_(MovingMean::starting_at(1, kPriorRows)),
      background_(has_background ? std::optional(Background()) : std::nullopt),
      remembered_(source_.rows(), source_.cols()) {}

double Model::adapt(const ConstRows& rows, const SourceAnswer& source, std::span<const std::int64_t> ids,
                    FloatRowsMap posteriors, std::span<float> unknown) {
  fade(kept(static_cast<double>(rows.rows()), kLongestMemory));
  verdicts_.fade(static_cast<double>(rows.rows()));
  Scratch scratch;
  const auto said = scratch.take<Index>(rows.rows());
  judge(rows, source, said);
  if (background_) {
    write_fits(rows, unknown);
    for (float& row : unknown) row = static_cast<float>(background_->observe(row));
  }
  const double log_likelihood = learn(rows, source, ids, unknown);

  auto cosines = take_rows<float>(scratch, posteriors.rows(), posteriors.cols());
  const Terms terms = this->terms(scratch);
  write_cosines(rows, cosines);
  terms.write(source, cosines, 1, posteriors);
  for (Index n = 0; n < posteriors.rows(); ++n) flips_.add(label_of(row_of(posteriors, n)) == source.labels[n] ? 0 : 1);
  if (!ids.empty()) remembered_.note(ask_all(source, cosines, scratch));

  terms.write(source, cosines, trust(), posteriors);
  softmax_rows(posteriors);
  if (persistence() < kNegligibleMass)
    chains_.start_from(posteriors);
  else
    blend(posteriors, persistence(), [&](FloatRowsMap smoothed) { chains_.advance(smoothed); });
  for (Index n = 0; n < posteriors.rows(); ++n) borne_out_.add(label_of(row_of(posteriors, n)) == said[n] ? 1 : 0);
  return log_likelihood;
}

void Model::move_to(std::optional<double> time) {
  if (const double keep = clock_.advance(time); keep < 1) fade(keep);
}

void Model::predict(const ConstRows& rows, const SourceAnswer& source, FloatRowsMap posteriors,
                    std::span<float> unknown) const {
  if (background_) {
    write_fits(rows, unknown);
    for (float& row : unknown) row = static_cast<float>(background_->unknown(row));
  }
  Scratch scratch;
  auto cosines = take_rows<float>(scratch, posteriors.rows(), posteriors.cols());
  write_cosines(rows, cosines);
  terms(scratch).write(source, cosines, trust(), posteriors);
  softmax_rows(posteriors);
  smooth(posteriors);
}

void Model::fade(double keep) {
  memories_.fade(keep);
  shadow_.fade(keep);
  remembered_.fade(keep);
}

/// Whom to believe: nothing here looks at what the adapted prototypes say.
void Model::judge(const ConstRows& rows, const SourceAnswer& source, std::span<Index> said) {
  for (Index n = 0; n < rows.rows(); ++n) {
    const Index label = source.labels[n];
    likeness_.add(inner_product(row_of(rows, n), row_of(source_, label)));
    persistence_.observe(label, std::exp(static_cast<double>(source.log_probabilities(n, label))));
  }
  shadow_.observe(rows, source.labels, source_directions(), likeness_.value(), said);
  if (distrust_.observe(believed(), rows.rows())) {
    memories_.forget();
    remembered_.fade(0);
  }
}

/// Variational EM on the rows at hand: responsibilities given prototypes, prototypes given responsibilities.
/// [safe-assign]
double Model::learn(const ConstRows& rows, const SourceAnswer& source, std::span<const std::int64_t> ids,
                    std::span<const float> unknown) {
  Scratch scratch;
  auto directions = take_rows<float>(scratch, source_.rows(), source_.cols());
  auto cosines = take_rows<float>(scratch, rows.rows(), source_.rows());
  auto responsibilities = take_rows<float>(scratch, rows.rows(), source_.rows());
  const Heard heard{scratch.take<double>(source_.rows()), take_rows<float>(scratch, source_.rows(), source_.cols())};
  const Terms terms = this->terms(scratch);
  double log_likelihood = 0;
  const auto shares = memories_.shares(settled());
  memories_.directions(source_directions(), likeness_.value(), shares, directions);
  for (int sweep = 1;; ++sweep) {
    multiply(rows, as_rows(directions), cosines);
    if (sweep == 1) log_likelihood = shadow_.mean_log_likelihood(as_rows(cosines));
    terms.write(source, cosines, 1, responsibilities);
    softmax_rows(responsibilities);
    smooth(responsibilities);
    for (std::size_t n = 0; n < unknown.size(); ++n) responsibilities.row(static_cast<Index>(n)) *= 1 - unknown[n];
    if (sweep == kSweeps) break;
    listen(as_rows(responsibilities), rows, heard);
    memories_.directions(source_directions(), likeness_.value(), shares, heard, directions);
  }
  memories_.learn(as_rows(responsibilities), rows, source_directions(), likeness_.value(), terms.concentration, shares);
  remembered_.hear(as_rows(responsibilities));
  if (!ids.empty()) remembered_.remember(ids, rows, as_rows(responsibilities));
  return log_likelihood;
}

void Model::write_fits(const ConstRows& rows, std::span<float> fits) const {
  Scratch scratch;
  auto cosines = take_rows<float>(scratch, rows.rows(), source_.rows());
  multiply(rows, source_directions(), cosines);
  for (Index n = 0; n < rows.rows(); ++n) fits[n] = cosines.row(n).maxCoeff();
}

void Model::write_cosines(const ConstRows& rows, FloatRowsMap cosines) const {
  Scratch scratch;
  auto directions = take_rows<float>(scratch, source_.rows(), source_.cols());
  write_prototypes(directions);
  multiply(rows, as_rows(directions), cosines);
}

std::span<const Opinions> Model::ask_all(const SourceAnswer& source, const FloatRowsMap& cosines,
                                         Scratch& scratch) const {
  const auto opinions = scratch.take<Opinions>(cosines.rows());
  auto logits = take_rows<float>(scratch, cosines.rows(), cosines.cols());
  const Terms terms = this->terms(scratch);
  const auto ask = [&](double trust, Index Opinions::*opinion) {
    terms.write(source, cosines, trust, logits);
    for (Index n = 0; n < logits.rows(); ++n) opinions[n].*opinion = label_of(row_of(logits, n));
  };
  for (std::size_t n = 0; n < opinions.size(); ++n) opinions[n].source = source.labels[n];
  ask(unlabelled_trust(), &Opinions::mixture);
  ask(1, &Opinions::adapted);
  return opinions;
}

Model::Terms Model::terms(Scratch& scratch) const {
  const double disagreement = std::max(shadow_.disagreement(), 1e-6);
  const double accepted = std::lerp(kMixedDisagreement, kPersistentDisagreement, persistence());
  const auto offsets = scratch.take<float>(source_.rows());
  shadow_.log_ratios(offsets);
  as_array(offsets) *= kRatioPower;
  return {static_cast<float>(shadow_.concentration()),
          static_cast<float>(std::clamp(accepted / disagreement, kLeastSharpness, 1.0)), offsets};
}

void Model::smooth(FloatRowsMap posteriors) const {
  if (persistence() < kNegligibleMass) return;
  blend(posteriors, persistence(), [&](FloatRowsMap smoothed) { chains_.smooth(smoothed); });
}

double Model::trust() const { return verdicts_.informed(unlabelled_trust()); }

double Model::unlabelled_trust() const { return believed() * step(flips_.value(), kLeastFlips, kFlipsWidth); }

double Model::believed() const { return step(shadow_.agreement(), kLeastAgreement, kAgreementWidth); }

double Model::persistence() const { return step(persistence_.share(), kLeastPersistence, kPersistenceWidth); }

/// Where labels persist or are told, a short memory is no good: it follows mistakes, and what it predicts then comes
/// true because it was said.
double Model::settled() const { return std::max(persistence(), verdicts_.labelled_share()); }

double Model::reliability() const { return 1 - believed() * (1 - persistence()) * (1 - borne_out_.value()); }

void Model::write_prototypes(FloatRowsMap out) const {
  memories_.directions(source_directions(), likeness_.value(), memories_.shares(settled()), out);
}

FloatRows Model::prototypes() const {
  FloatRows directions(source_.rows(), source_.cols());
  write_prototypes({directions.data(), directions.rows(), directions.cols()});
  return directions;
}

}  // namespace stad::safe
