#include <stad/files.hpp>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/atomic_file.hpp"
#include "io/npz_writer.hpp"
#include "io/shown.hpp"
#include "io/state_file.hpp"
#include "io/state_layout.hpp"

namespace stad {
namespace {

Status write_npz(const std::string& path, const NpzWriter& npz) {
  const auto content = npz.encode();
  if (!content) return within(path, content.error());
  return replace_file(path, *content);
}

Status add_source(NpzWriter& npz, const SourceModel& source) {
  npz.add("weight", source.weight().view());
  if (source.has_bias()) npz.add("bias", source.bias());
  if (source.has_mean()) npz.add("mean", source.mean());
  if (source.has_class_names()) return npz.add("classes", std::span(source.class_names()));
  return {};
}

/// `sizes` must live until the archive is encoded.
void add_stream(NpzWriter& npz, const FeatureStream& stream, const std::vector<std::int64_t>& sizes) {
  npz.add("features", stream.features);
  if (stream.has_labels()) npz.add("labels", std::span(stream.labels));
  if (stream.has_time()) npz.add("time", std::span(stream.time));
  if (!sizes.empty()) npz.add("batch_sizes", std::span(sizes));
}

Status check_length(const char* field, std::size_t length, Index rows, const char* what) {
  if (length == static_cast<std::size_t>(rows)) return {};
  return invalid(fmt::format("{} has {} values, {} has {} rows, must be as many", field, length, what, rows));
}

Status check_stream(const FeatureStream& stream) {
  const Index rows = stream.features.rows;
  if (stream.has_labels()) STAD_TRY(check_length("labels", stream.labels.size(), rows, "features"));
  if (stream.has_time()) STAD_TRY(check_length("time", stream.time.size(), rows, "features"));
  return {};
}

}  // namespace

Status write_source(const std::string& path, const SourceModel& source) {
  NpzWriter npz;
  if (const auto added = add_source(npz, source); !added) return within(path, added.error());
  return write_npz(path, npz);
}

Status write_stream(const std::string& path, const FeatureStream& stream, const SourceModel* source) {
  if (const auto checked = check_stream(stream); !checked) return within(path, checked.error());
  const std::vector<std::int64_t> sizes(stream.batch_sizes.begin(), stream.batch_sizes.end());
  NpzWriter npz;
  add_stream(npz, stream, sizes);
  if (source)
    if (const auto added = add_source(npz, *source); !added) return within(path, added.error());
  return write_npz(path, npz);
}

Status write_predictions(const std::string& path, const Predictions& predictions) {
  const auto& labels = predictions.labels;
  const auto& probabilities = predictions.probabilities;
  if (const auto checked = check_length("labels", labels.size(), probabilities.rows(), "probabilities"); !checked)
    return within(path, checked.error());
  NpzWriter npz;
  npz.add("labels", std::span(labels));
  npz.add("probabilities", probabilities.view());
  return write_npz(path, npz);
}

Status write_state(const std::string& path, const AdapterState& state) {
  for (const auto& tensor : state.tensors)
    if (!has_matching_shape(tensor))
      return invalid(
          fmt::format("{}: tensor {} has another number of values than its shape", path, shown(tensor.name)));
  return replace_file(path, encode_state(state));
}

Status write_text(const std::string& path, std::string_view text) { return replace_file(path, text); }

}  // namespace stad
