#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "server/serving/model.hpp"

namespace stad::server {

/// The models that are served, by name.
class Models {
 public:
  /// Throws Refusal where the name is taken.
  void add(ModelPointer model);
  void remove(const std::string& name);
  /// Throws Refusal where there is none.
  ModelPointer find(std::string_view name) const;
  ModelPointer find_or_null(std::string_view name) const;
  std::vector<ModelPointer> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, ModelPointer, std::less<>> models_;
};

}  // namespace stad::server
