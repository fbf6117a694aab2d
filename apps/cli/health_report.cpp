#include "cli/health_report.hpp"

#include <fmt/format.h>

namespace stad::cli {
namespace {

Json list_or_null(const std::vector<double>& values) { return values.empty() ? Json() : Json(values); }

}  // namespace

Health total_health(const std::vector<StepHealth>& steps) {
  Health total = steps.back().health;
  double confidence = 0, log_likelihood = 0;
  Index rows = 0;
  total.compared = total.flipped = 0;
  total.accuracy = {};
  for (const StepHealth& step : steps) {
    const auto samples = static_cast<double>(step.samples);
    total.compared += step.health.compared;
    total.flipped += step.health.flipped;
    total.accuracy += step.health.accuracy;
    confidence += samples * step.health.confidence;
    log_likelihood += samples * step.health.log_likelihood.value_or(0);
    rows += step.samples;
  }
  total.confidence = confidence / static_cast<double>(rows);
  if (total.log_likelihood) total.log_likelihood = log_likelihood / static_cast<double>(rows);
  return total;
}

std::string health_text(const std::vector<StepHealth>& steps) {
  const Health total = total_health(steps);
  std::string text = fmt::format("estimated accuracy {:.1f} % ({:.1f} to {:.1f})", 100 * total.accuracy.value(),
                                 100 * total.accuracy.low(), 100 * total.accuracy.high());
  if (total.compared > 0) text += fmt::format(", {:.1f} % answered otherwise than the source", 100 * total.flip_rate());
  return text;
}

std::string guard_text(const Guard& guard) {
  return fmt::format("trust {:.2f} (0: the source answers, 1: the prototypes), persistence of labels {:.2f}",
                     guard.trust, guard.persistence);
}

Json health_json(const Health& health) {
  const AccuracyEstimate& accuracy = health.accuracy;
  const auto guard = [&](double Guard::*part) { return health.guard ? Json((*health.guard).*part) : Json(); };
  return {{"estimated_accuracy",
           accuracy.rows > 0 ? Json{{"value", accuracy.value()}, {"low", accuracy.low()}, {"high", accuracy.high()}}
                             : Json()},
          {"confidence", health.is_told() ? Json(health.confidence) : Json()},
          {"compared", health.compared},
          {"flip_rate", health.compared > 0 ? Json(health.flip_rate()) : Json()},
          {"trust", guard(&Guard::trust)},
          {"persistence", guard(&Guard::persistence)},
          {"reliability", guard(&Guard::reliability)},
          {"log_likelihood", value_or_null(health.log_likelihood)},
          {"dispersion", value_or_null(health.dispersion)},
          {"movement", list_or_null(health.movement)},
          {"evidence", list_or_null(health.evidence)}};
}

}  // namespace stad::cli
