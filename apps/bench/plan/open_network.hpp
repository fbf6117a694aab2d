#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <stad/backbone.hpp>

#include "common/json_text.hpp"

namespace stad::cli::bench {

/// A network that was opened, and what tells it from others.
class OpenNetwork {
 public:
  OpenNetwork(BackbonePointer backbone, std::uint64_t fingerprint);

  const Backbone& backbone() const { return *backbone_; }
  const Json& identity() const { return identity_; }
  /// What a method's options come to with this network, or why it cannot start. Remembered, because a network's
  /// weights are copied to find out; for one thread.
  Result<std::vector<OptionSetting>> resolve(const std::string& method, const ImageShape& shape,
                                             const OptionValues& options) const;

 private:
  BackbonePointer backbone_;
  Json identity_;
  mutable std::map<std::string, Result<std::vector<OptionSetting>>> resolved_;
};

using OpenNetworkPointer = std::shared_ptr<const OpenNetwork>;

}  // namespace stad::cli::bench
