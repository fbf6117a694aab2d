#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stad/adapter.hpp>

namespace stad::serving {

/// A batch that was adapted to, as bytes. apply_change() repeats it, bit for bit.
std::string encode_batch(const Batch& batch);
/// Labels that were applied.
std::string encode_labels(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels);
/// Throws AppError (400) where the bytes are damaged or the adapter rejects them.
void apply_change(std::string_view change, Adapter& adapter);

/// When a save writes the state instead of the changes.
struct ChangeLimits {
  /// Stored changes take at most so many times the bytes of the state, which is what a load reads.
  std::size_t states = 4;
  /// And are at most so many, which a load repeats: after a kill the first answer of a stream takes as long as 32. A
  /// state of 24 KB adds 0.75 KB to each change of 2 KB then; larger values save little.
  std::size_t changes = 32;
};

/// The changes of a stream since its state was stored. A save writes them instead of the state as long as they are
/// small beside it: the state of stad-safe has 24 KB at 10 classes, a row of 512 values 2 KB.
class ChangeLog {
 public:
  void add(std::string change) { unsaved_.push_back(std::move(change)); }
  /// Returns the changes that were added since the last call; none where the next save must write the state.
  /// @param state_bytes size of the stored state
  bool take(std::size_t state_bytes, std::vector<std::string>& changes);
  /// The state of this moment is stored; the log is empty.
  void restart();
  /// The state was loaded together with these changes.
  void restart(const std::vector<std::string>& stored);

 private:
  static constexpr ChangeLimits kLimits{};

  bool has_state_ = false;  ///< whether a state is stored to which changes can be added
  std::size_t stored_changes_ = 0;
  std::size_t stored_bytes_ = 0;
  std::vector<std::string> unsaved_;
};

}  // namespace stad::serving
