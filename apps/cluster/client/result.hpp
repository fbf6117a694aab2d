#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/names.hpp"
#include "cluster/nats/message.hpp"

namespace stad::cluster {

/// A result as it stands in STAD_OUT.
struct ResultOfBatch {
  StreamName name;
  std::uint64_t sequence = 0;  ///< of its input
  std::vector<std::int64_t> labels;
  std::vector<float> probabilities;  ///< rows one after another
  std::string error;                 ///< why there is no answer; empty: there is
};

/// Throws Refusal where it is no result of ours; one that cannot be put together with others has an error that says so.
ResultOfBatch read_result(const Delivery& delivery);

}  // namespace stad::cluster
