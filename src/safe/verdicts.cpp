#include "safe/verdicts.hpp"

#include <algorithm>
#include <cmath>

namespace stad::safe {
namespace {

// Verdicts by which the source or the adapted classifier must lead before it is believed as much as the mixture: a few
// labels say little.
constexpr double kHandicap = 10;
constexpr double kUnlabelledRows = 200;  // before the first label came

}  // namespace

void Verdicts::count(const Opinions& opinions, Index label) {
  const auto right = [&](Index opinion) { return opinion == label ? 1.0 : 0.0; };
  const auto add = [](double verdict, double& lead) { lead = std::clamp(lead + verdict, -kLongestLead, kLongestLead); };
  add(right(opinions.source) - right(opinions.mixture), source_lead_);
  add(right(opinions.adapted) - right(opinions.mixture), adapted_lead_);
  labels_ += 1;
}

void Verdicts::fade(double rows) {
  const double keep = kept(rows, kLongestMemory);
  if (!in_use()) return;
  labels_ *= keep;
  rows_ = keep * rows_ + rows;
  source_lead_ *= keep;
  adapted_lead_ *= keep;
}

double Verdicts::informed(double trust) const {
  if (source_lead_ == 0 && adapted_lead_ == 0) return trust;
  const double source = std::exp2(source_lead_ - kHandicap);
  const double adapted = std::exp2(adapted_lead_ - kHandicap);
  return (trust + adapted) / (1 + source + adapted);
}

double Verdicts::labelled_share() const { return std::min(labels_ / (rows_ + kUnlabelledRows), 1.0); }

}  // namespace stad::safe
