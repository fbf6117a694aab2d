// Reads a head and a labelled stream, adapts batch by batch, and prints the accuracy of the head and of two methods:
// stad-vmf, which follows the drift of the features and gains on this stream, and stad-safe, which answers as the head
// does except where labels persist, and reports a warning level of lost accuracy.
//   adapt_stream STREAM.npz

#include <algorithm>
#include <cstdint>
#include <iostream>

#include <stad/files.hpp>
#include <stad/methods.hpp>

namespace {

/// Number of correct predictions.
stad::Index count_correct(const stad::Predictions& answer, const std::int64_t* truth) {
  stad::Index correct = 0;
  for (const std::int64_t label : answer.labels) correct += label == *truth++;
  return correct;
}

int fail(const stad::Error& error) {
  std::cerr << "adapt_stream: " << error.message << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return fail(stad::invalid("usage: adapt_stream STREAM.npz"));
  const auto source = stad::read_source(argv[1]);  // weight, and if present bias, mean, classes and card
  if (!source) return fail(source.error());
  const auto stream = stad::read_stream(argv[1]);
  if (!stream) return fail(stream.error());
  if (!stream->has_labels())
    return fail(stad::invalid(stream->name + ": has no labels, which computing the accuracy requires"));

  auto unadapted = stad::make_adapter(*source, stad::SourceOptions{});
  auto adapted = stad::make_adapter(*source, stad::StadVmfOptions{});
  auto guarded = stad::make_adapter(*source, stad::StadSafeOptions{});
  for (const auto* adapter : {&unadapted, &adapted, &guarded})
    if (!*adapter) return fail(adapter->error());

  stad::Index rows = 0, source_correct = 0, adapted_correct = 0, guarded_correct = 0;
  stad::Predictions answer;  // reused, so that later batches do not allocate
  for (; rows < stream->features.rows; rows += static_cast<stad::Index>(answer.labels.size())) {
    const stad::Index count = std::min<stad::Index>(64, stream->features.rows - rows);
    const stad::MatrixView batch = stream->features.rows_from(rows, count);
    const std::int64_t* truth = &stream->labels[static_cast<std::size_t>(rows)];
    if (const auto status = (*unadapted)->adapt(batch, answer); !status) return fail(status.error());
    source_correct += count_correct(answer, truth);
    if (const auto status = (*adapted)->adapt(batch, answer); !status) return fail(status.error());
    adapted_correct += count_correct(answer, truth);
    if (const auto status = (*guarded)->adapt(batch, answer); !status) return fail(status.error());
    guarded_correct += count_correct(answer, truth);
  }
  const auto percent = [&](stad::Index correct) {
    return 100.0 * static_cast<double>(correct) / static_cast<double>(rows);
  };
  const auto& warning = answer.health.warning;  // of sources with a card
  std::cout << rows << " rows: source " << percent(source_correct) << " %, stad-vmf " << percent(adapted_correct)
            << " %, stad-safe " << percent(guarded_correct)
            << " %; warning level after the last batch: " << (warning ? stad::name_of(*warning) : "none") << "\n";
  return adapted_correct > source_correct ? 0 : 1;
}
