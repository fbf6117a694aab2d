#include <stad/eval/metrics.hpp>

#include <algorithm>
#include <cmath>

#include <stad/streams.hpp>

#include "base/check.hpp"

namespace stad {
namespace {

constexpr Index kBins = 15;

double ratio(Index part, Index whole) { return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

/// Bins are closed on the right, so that a confidence of exactly 1 is in the last one.
std::size_t bin_of(double confidence) {
  const auto above = static_cast<Index>(std::ceil(confidence * kBins));
  return static_cast<std::size_t>(std::clamp<Index>(above - 1, 0, kBins - 1));
}

}  // namespace

Evaluator::Evaluator(Index classes) : classes_(static_cast<std::size_t>(classes)), bins_(kBins) {}

void Evaluator::add(std::span<const std::int64_t> truth, std::span<const std::int64_t> answers,
                    MatrixView probabilities, double time) {
  STAD_CHECK(truth.size() == answers.size() && static_cast<Index>(truth.size()) == probabilities.rows);
  const auto known = [&](std::int64_t label) { return label >= 0 && label < static_cast<Index>(classes_.size()); };
  for (std::size_t n = 0; n < truth.size(); ++n) {
    STAD_CHECK((known(truth[n]) || truth[n] == kNoClass) && known(answers[n]));
    if (truth[n] == kNoClass) continue;
    const auto row = probabilities.row(static_cast<Index>(n));
    const double confidence = *std::max_element(row.begin(), row.end());
    const Index correct = truth[n] == answers[n];

    auto& step = steps_[time];
    ++step.samples;
    step.correct += correct;
    auto& actual = classes_[static_cast<std::size_t>(truth[n])];
    ++actual.samples;
    actual.correct += correct;
    ++classes_[static_cast<std::size_t>(answers[n])].predicted;
    auto& bin = bins_[bin_of(confidence)];
    ++bin.samples;
    bin.correct += correct;
    bin.confidence += confidence;
  }
}

Evaluation Evaluator::evaluation() const {
  Evaluation result;
  result.per_class = classes_;
  Index correct = 0;
  for (const auto& [time, count] : steps_) {
    const double accuracy = ratio(count.correct, count.samples);
    result.per_step.push_back({time, count.samples, accuracy, count.correct});
    result.samples += count.samples;
    result.step_mean += accuracy / static_cast<double>(steps_.size());
    correct += count.correct;
  }
  result.pooled = ratio(correct, result.samples);
  // sum over bins of (n_b / N) |confidence_b / n_b - correct_b / n_b|
  for (const auto& bin : bins_)
    if (result.samples)
      result.calibration_error +=
          std::abs(bin.confidence - static_cast<double>(bin.correct)) / static_cast<double>(result.samples);
  return result;
}

}  // namespace stad
