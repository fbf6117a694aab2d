// The library in a few lines: read a head and a stream, answer it batch by batch, say what adapting gave.
//   adapt_stream STREAM.npz

#include <algorithm>
#include <cstdint>
#include <iostream>

#include <stad/files.hpp>
#include <stad/methods.hpp>

namespace {

/// How many rows were answered with their label.
stad::Index count_right(const stad::Predictions& answer, const std::int64_t* truth) {
  stad::Index right = 0;
  for (const std::int64_t label : answer.labels) right += label == *truth++;
  return right;
}

int complain(const stad::Error& error) {
  std::cerr << "adapt_stream: " << error.message << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return complain(stad::invalid("usage: adapt_stream STREAM.npz"));
  const auto source = stad::read_source(argv[1]);  // weight, and where there are any bias, mean, classes
  if (!source) return complain(source.error());
  const auto stream = stad::read_stream(argv[1]);
  if (!stream) return complain(stream.error());
  if (!stream->has_labels()) return complain(stad::invalid(stream->name + ": no labels, nothing to compare with"));

  auto unadapted = stad::make_adapter(*source, stad::SourceOptions{});
  auto adapted = stad::make_adapter(*source, stad::StadSafeOptions{});
  if (!unadapted || !adapted) return complain((unadapted ? adapted : unadapted).error());

  stad::Index rows = 0, source_right = 0, adapted_right = 0;
  stad::Predictions answer;  // its memory is used again for every batch
  for (; rows < stream->features.rows; rows += static_cast<stad::Index>(answer.labels.size())) {
    const stad::Index count = std::min<stad::Index>(64, stream->features.rows - rows);
    const stad::MatrixView batch = stream->features.rows_from(rows, count);
    if (const auto status = (*unadapted)->adapt(batch, answer); !status) return complain(status.error());
    source_right += count_right(answer, &stream->labels[static_cast<std::size_t>(rows)]);
    if (const auto status = (*adapted)->adapt(batch, answer); !status) return complain(status.error());
    adapted_right += count_right(answer, &stream->labels[static_cast<std::size_t>(rows)]);
  }
  const auto percent = [&](stad::Index right) {
    return 100.0 * static_cast<double>(right) / static_cast<double>(rows);
  };
  std::cout << rows << " rows: source " << percent(source_right) << " %, adapted " << percent(adapted_right)
            << " %; of the last batch " << 100 * answer.health.accuracy.value() << " % estimated without labels\n";
  return adapted_right > source_right ? 0 : 1;
}
