#include "serving/change_log.hpp"

#include <bit>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "common/error.hpp"

namespace stad::serving {
namespace {

static_assert(std::endian::native == std::endian::little, "the bytes of a change are those of the memory");

enum class Kind : std::uint32_t { kBatch = 1, kLabels = 2 };

/// Followed by the ids, then by the features or the labels.
struct ChangeHead {
  std::uint64_t checksum = 0;  ///< of all bytes after it
  Kind kind = Kind::kBatch;
  std::uint32_t has_time = 0;
  double time = 0;
  std::int64_t rows = 0;  ///< or number of labels
  std::int64_t columns = 0;
  std::int64_t ids = 0;
};
static_assert(sizeof(ChangeHead) == 48, "without padding");

/// Of words of 8 bytes: detects damage, not intent.
std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t sum = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
    sum = std::rotl((sum ^ word) * 0x9E3779B97F4A7C15U, 29);
  }
  return sum;
}

template <typename T>
void append(std::string& bytes, std::span<const T> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

std::string begin(const ChangeHead& head, std::size_t bytes) {
  std::string change;
  change.reserve(sizeof head + bytes);
  change.append(reinterpret_cast<const char*>(&head), sizeof head);
  return change;
}

std::string finish(std::string change) {
  const std::uint64_t checksum = checksum_of(std::string_view(change).substr(sizeof checksum));
  std::memcpy(change.data(), &checksum, sizeof checksum);
  return change;
}

template <typename T>
std::vector<T> take(std::string_view& bytes, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  bytes.remove_prefix(values.size() * sizeof(T));
  return values;
}

[[noreturn]] void reject_damage() { reject(400, "a stored change is damaged"); }

ChangeHead read_head(std::string_view change) {
  ChangeHead head;
  if (change.size() < sizeof head) reject_damage();
  std::memcpy(&head, change.data(), sizeof head);
  if (checksum_of(change.substr(sizeof head.checksum)) != head.checksum) reject_damage();
  return head;
}

}  // namespace

std::string encode_batch(const Batch& batch) {
  const MatrixView& features = batch.features;
  const ChangeHead head{.kind = Kind::kBatch,
                        .has_time = batch.time ? 1U : 0U,
                        .time = batch.time.value_or(0),
                        .rows = features.rows,
                        .columns = features.cols,
                        .ids = static_cast<std::int64_t>(batch.ids.size())};
  std::string change = begin(head, batch.ids.size_bytes() + features.rows * features.cols * sizeof(float));
  append(change, batch.ids);
  for (Index n = 0; n < features.rows; ++n) append(change, features.row(n));
  return finish(std::move(change));
}

std::string encode_labels(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  const auto count = static_cast<std::int64_t>(ids.size());
  std::string change = begin({.kind = Kind::kLabels, .rows = count, .ids = count}, ids.size_bytes() * 2);
  append(change, ids);
  append(change, labels);
  return finish(std::move(change));
}

void apply_change(std::string_view change, Adapter& adapter) {
  const ChangeHead head = read_head(change);
  change.remove_prefix(sizeof head);
  const auto ids = take<std::int64_t>(change, head.ids);
  if (head.kind == Kind::kLabels) {
    need(adapter.observe(ids, take<std::int64_t>(change, head.rows)));
    return;
  }
  const auto values = take<float>(change, head.rows * head.columns);
  Batch batch(MatrixView(values.data(), head.rows, head.columns));
  if (head.has_time) batch.time = head.time;
  batch.ids = ids;
  need(adapter.adapt(batch));
}

bool ChangeLog::take(std::size_t state_bytes, std::vector<std::string>& changes) {
  const auto add_size = [](std::size_t sum, const std::string& change) { return sum + change.size(); };
  const std::size_t bytes = std::accumulate(unsaved_.begin(), unsaved_.end(), stored_bytes_, add_size);
  const std::size_t count = stored_changes_ + unsaved_.size();
  if (!has_state_ || bytes > kLimits.states * state_bytes || count > kLimits.changes) return false;
  stored_bytes_ = bytes;
  stored_changes_ = count;
  changes = std::exchange(unsaved_, {});
  return true;
}

void ChangeLog::restart() {
  has_state_ = true;
  stored_bytes_ = stored_changes_ = 0;
  unsaved_.clear();
}

void ChangeLog::restart(const std::vector<std::string>& stored) {
  restart();
  stored_changes_ = stored.size();
  for (const auto& change : stored) stored_bytes_ += change.size();
}

}  // namespace stad::serving
