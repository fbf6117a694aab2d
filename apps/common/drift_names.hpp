#pragma once

#include <utility>

#include <stad/eval/simulate.hpp>

namespace stad::cli {

/// How a person writes them.
constexpr std::pair<const char*, Drift> kDrifts[] = {{"none", Drift::kNone},
                                                     {"recurring", Drift::kRecurring},
                                                     {"progressive", Drift::kProgressive},
                                                     {"rapid", Drift::kRapid},
                                                     {"abrupt", Drift::kAbrupt}};

}  // namespace stad::cli
