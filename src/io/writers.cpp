#include <stad/files.hpp>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/atomic_file.hpp"
#include "io/npz_writer.hpp"
#include "io/shown.hpp"
#include "io/state_file.hpp"
#include "io/state_layout.hpp"
#include "io/stream_writer.hpp"

namespace stad {
namespace {

Status add_source(NpzWriter& npz, const SourceModel& source) {
  npz.add("weight", source.weight().view());
  if (source.has_bias()) npz.add("bias", source.bias());
  if (source.has_mean()) npz.add("mean", source.mean());
  if (source.has_class_names()) return npz.add("classes", std::span(source.class_names()));
  return {};
}

Status add_predictions(NpzWriter& npz, const Predictions& predictions) {
  const auto& [labels, probabilities, unknown, undirected, restarted, health] = predictions;
  STAD_TRY(check_row_count("labels", labels.size(), probabilities.rows(), "probabilities"));
  npz.add("labels", std::span(labels));
  npz.add("probabilities", probabilities.view());
  if (unknown.empty()) return {};
  STAD_TRY(check_row_count("unknown", unknown.size(), probabilities.rows(), "probabilities"));
  npz.add("unknown", std::span(unknown));
  return {};
}

}  // namespace

Status write_source(const std::string& path, const SourceModel& source) {
  NpzWriter npz;
  if (const auto added = add_source(npz, source); !added) return within(path, added.error());
  return write_npz(path, npz);
}

Status write_stream(const std::string& path, const FeatureStream& stream, const SourceModel* source) {
  if (const auto checked = check_fields(stream, "features"); !checked) return within(path, checked.error());
  NpzWriter npz;
  npz.add("features", stream.features);
  add_fields(npz, stream);
  if (source)
    if (const auto added = add_source(npz, *source); !added) return within(path, added.error());
  return write_npz(path, npz);
}

Status write_predictions(const std::string& path, const Predictions& predictions) {
  NpzWriter npz;
  if (const auto added = add_predictions(npz, predictions); !added) return within(path, added.error());
  return write_npz(path, npz);
}

Status write_answers(const std::string& path, const CollectedAnswers& answers) {
  NpzWriter npz;
  const auto add = [&]() -> Status {
    STAD_TRY(add_predictions(npz, answers.predictions));
    const auto batches = static_cast<Index>(answers.batch_sizes.size());
    STAD_TRY(check_row_count("stream", answers.stream.size(), batches, "batch_sizes"));
    STAD_TRY(check_row_count("sequence", answers.sequence.size(), batches, "batch_sizes"));
    npz.add("batch_sizes", std::span(answers.batch_sizes));
    npz.add("stream", std::span(answers.stream));
    npz.add("sequence", std::span(answers.sequence));
    return npz.add("streams", std::span(answers.streams));
  };
  if (const auto added = add(); !added) return within(path, added.error());
  return write_npz(path, npz);
}

Result<std::string> state_to_bytes(const AdapterState& state) {
  for (const auto& tensor : state.tensors)
    if (!has_matching_shape(tensor))
      return invalid(fmt::format("tensor {} has another number of values than its shape", shown(tensor.name)));
  return encode_state(state);
}

Status write_state(const std::string& path, const AdapterState& state) {
  const auto bytes = state_to_bytes(state);
  if (!bytes) return within(path, bytes.error());
  return replace_file(path, *bytes);
}

Status write_text(const std::string& path, std::string_view text) { return replace_file(path, text); }

}  // namespace stad
