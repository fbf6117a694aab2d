#include "io/stream_writer.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/atomic_file.hpp"
#include "io/shown.hpp"

namespace stad {

Status write_npz(const std::string& path, const NpzWriter& npz) {
  const auto content = npz.encode();
  if (!content) return within(path, content.error());
  return replace_file(path, *content);
}

Status check_row_count(std::string_view field, std::size_t length, Index rows, std::string_view what) {
  if (length == static_cast<std::size_t>(rows)) return {};
  return invalid(fmt::format("{} has {} values, {} has {} rows, must be as many", field, length, what, rows));
}

Status check_fields(const FeatureStream& stream, std::string_view what) {
  const Index rows = stream.features.rows;
  if (stream.has_labels()) STAD_TRY(check_row_count("labels", stream.labels.size(), rows, what));
  if (stream.has_time()) STAD_TRY(check_row_count("time", stream.time.size(), rows, what));
  return {};
}

void add_fields(NpzWriter& npz, const FeatureStream& stream) {
  const std::vector<std::int64_t> sizes(stream.batch_sizes.begin(), stream.batch_sizes.end());
  if (stream.has_labels()) npz.add("labels", std::span(stream.labels));
  if (stream.has_time()) npz.add("time", std::span(stream.time));
  if (!sizes.empty()) npz.add_copy("batch_sizes", sizes);
}

}  // namespace stad
