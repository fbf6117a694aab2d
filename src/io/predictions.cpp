#include <stad/files.hpp>

#include "base/try.hpp"
#include "io/npz_fields.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

Status add_predictions(NpzWriter& npz, const Predictions& predictions) {
  STAD_TRY(check_row_count("labels", predictions.labels.size(), predictions.probabilities.rows(), "probabilities"));
  npz.add("labels", std::span(predictions.labels));
  npz.add("probabilities", predictions.probabilities.view());
  if (predictions.label_requests.empty()) return {};
  const std::vector<std::int64_t> requests(predictions.label_requests.begin(), predictions.label_requests.end());
  npz.add("label_requests", std::span(requests));
  return {};
}

}  // namespace

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

}  // namespace stad
