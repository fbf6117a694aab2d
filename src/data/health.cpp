#include <stad/predictions.hpp>

namespace stad {

const char* name_of(GuardTest test) {
  switch (test) {
    case GuardTest::kNone:
      return "none";
    case GuardTest::kRows:
      return "rows";
    case GuardTest::kZeta:
      return "zeta";
    case GuardTest::kExcess:
      return "excess";
    case GuardTest::kAutocorrelation:
      return "autocorrelation";
  }
  return "";
}

const char* name_of(Warning warning) {
  switch (warning) {
    case Warning::kFine:
      return "fine";
    case Warning::kWatch:
      return "watch";
    case Warning::kAct:
      return "act";
  }
  return "";
}

double Health::flip_rate() const {
  return compared > 0 ? static_cast<double>(flipped) / static_cast<double>(compared) : 0;
}

std::string_view Health::answers() const {
  for (const CandidateStatus& candidate : candidates)
    if (candidate.answers) return candidate.name;
  if (!guard) return "";
  return guard->chains ? "chains" : "source";
}

}  // namespace stad
