#pragma once

#include <optional>
#include <string>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_record.hpp"

namespace stad::cli::bench {

/// Finished runs, one file each below the results, so that a bench that was interrupted goes on where it was. A run
/// is found again only if everything that decides its outcome is the same.
class RunStore {
 public:
  explicit RunStore(const std::string& directory);  ///< makes it where it is not there

  std::optional<RunRecord> find(const PlannedRun& run) const;
  void keep(const PlannedRun& run, const RunRecord& record) const;

  /// Below the results directory.
  static std::string file_of(const PlannedRun& run);

 private:
  std::string directory_;
};

}  // namespace stad::cli::bench
