#include "safe/shadow.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/concentration.hpp"
#include "math/exponential.hpp"
#include "math/inner_product.hpp"
#include "math/log_normaliser.hpp"
#include "math/scratch_rows.hpp"

namespace stad::safe {
namespace {

constexpr double kMemory = 100;  // rows of its own that a prototype remembers
constexpr double kShadowAnchor = 8;    // rows that its source direction is worth
constexpr Index kShadowChunk = 64;     // rows that are asked about before any of them is learned from
constexpr double kShadowPriorRows = 100;
constexpr double kPriorAgreement = 0.5;  // trust is earned first
constexpr std::array kShares{2.0, 1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125};

std::vector<double> even_counts(Index classes) {
  return std::vector<double>(static_cast<std::size_t>(classes), kShadowPriorRows / static_cast<double>(classes));
}

void count(Index label, std::vector<double>& counts) {
  as_array(std::span(counts)) *= kKeptByJudges;
  counts[label] += 1;
}

/// Adds to each share's score log softmax(share concentration cosines) at the label. The exponentials of all shares at
/// once, since few classes would not fill a vector.
void add_scores(std::span<const float> cosines, Index label, double concentration, std::span<double> scores) {
  Scratch scratch;
  const auto classes = static_cast<Index>(cosines.size());
  const auto values = scratch.take<float>(classes * static_cast<Index>(kShares.size()));
  const auto largest = as_array(cosines).maxCoeff();
  for (std::size_t i = 0; i < kShares.size(); ++i) {
    const auto scale = static_cast<float>(kShares[i] * concentration);
    const auto of_share = values.subspan(i * cosines.size(), cosines.size());
    as_array(of_share) = (as_array(cosines) - largest) * scale;
    scores[i] = kKeptByJudges * scores[i] + of_share[label];
  }
  exponentiate(values);
  for (std::size_t i = 0; i < kShares.size(); ++i)
    scores[i] -= std::log(sum_of(std::span<const float>(values.subspan(i * cosines.size(), cosines.size()))));
}

}  // namespace

Shadow::Shadow(Index classes, Index dimension)
    : evidence_(classes, dimension, kMemory, kShadowAnchor),
      agreement_(MovingMean::starting_at(kPriorAgreement, kShadowPriorRows)),
      said_(even_counts(classes)),
      heard_(said_),
      scores_(kShares.size(), 0.0) {}

void Shadow::observe(const ConstRows& rows, std::span<const Index> labels, const ConstRows& source, double likeness,
                     std::span<Index> said) {
  for (Index first = 0; first < rows.rows(); first += kShadowChunk) {
    const Index length = std::min(kShadowChunk, rows.rows() - first);
    observe_chunk(some_rows(rows, first, length), labels.subspan(first, length), source, likeness,
                  said.subspan(first, length));
  }
}

void Shadow::observe_chunk(const ConstRows& rows, std::span<const Index> labels, const ConstRows& source,
                           double likeness, std::span<Index> said) {
  Scratch scratch;
  auto directions = take_rows<float>(scratch, source.rows(), source.cols());
  auto cosines = take_rows<float>(scratch, rows.rows(), source.rows());
  evidence_.directions(source, likeness, directions);
  multiply(rows, as_rows(directions), cosines);

  const double concentration = full_concentration();
  auto shares = take_rows<float>(scratch, rows.rows(), source.rows());
  shares.setZero();
  for (Index n = 0; n < rows.rows(); ++n) {
    const Index label = labels[n];
    const auto row = row_of(cosines, n);
    said[n] = label_of(row);
    agreement_.add(said[n] == label ? 1 : 0);
    length_.add(row[label]);
    count(said[n], said_);
    count(label, heard_);
    add_scores(row, label, concentration, scores_);
    shares(n, label) = 1;
  }

  const Heard heard{scratch.take<double>(source.rows()), take_rows<float>(scratch, source.rows(), source.cols())};
  listen(as_rows(shares), rows, heard);
  evidence_.add(heard);
}

double Shadow::agreement() const {
  const auto said = as_array(std::span(said_));
  const auto heard = as_array(std::span(heard_));
  const double totals = said.sum() * heard.sum();
  const double chance = totals > 0 ? (said * heard).sum() / totals : 0;
  constexpr double kLeastRoom = 1e-9;  // one class only: agreement says nothing
  return (agreement_.value() - chance) / std::max(1 - chance, kLeastRoom);
}

double Shadow::disagreement() const {
  const double by_chance = 1 - 1 / static_cast<double>(said_.size());
  return std::min((1 - agreement_.value()) / by_chance, 1.0);
}

double Shadow::full_concentration() const {
  return estimate_concentration(std::max(length_.value(), 0.0), evidence_.dimension());
}

double Shadow::concentration() const {
  const double best = *std::max_element(scores_.begin(), scores_.end());
  double weighted = 0;
  double total = 0;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const double weight = std::exp(scores_[i] - best);
    weighted += weight * kShares[i];
    total += weight;
  }
  return full_concentration() * weighted / total;
}

double Shadow::mean_log_likelihood(const ConstRows& cosines) const {
  Scratch scratch;
  const double concentration = full_concentration();
  const auto values = scratch.take<float>(cosines.cols());
  double sum = 0;
  for (Index n = 0; n < cosines.rows(); ++n) {
    const float largest = cosines.row(n).maxCoeff();
    as_array(values) = (cosines.row(n).transpose().array() - largest) * static_cast<float>(concentration);
    exponentiate(values);
    sum += concentration * largest + std::log(sum_of(std::span<const float>(values)));
  }
  return sum / static_cast<double>(cosines.rows()) - std::log(static_cast<double>(cosines.cols())) +
         log_normaliser(std::max<Index>(evidence_.dimension(), 2), concentration);  // on a line, as in a plane
}

void Shadow::log_ratios(std::span<float> out) const {
  constexpr double kRows = 10;  // a ratio of a few rows says little
  as_array(out) = ((as_array(std::span(said_)) + kRows) / (as_array(std::span(heard_)) + kRows)).log().cast<float>();
}

}  // namespace stad::safe
