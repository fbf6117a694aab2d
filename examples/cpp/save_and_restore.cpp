// Saves the state of an adapter to a file and continues with a new adapter, as a service does when it restarts. The
// predictions are bit-identical to those without the restart.
//   save_and_restore STREAM.npz STATE

#include <iostream>
#include <string>

#include <stad/files.hpp>
#include <stad/methods.hpp>

namespace {

using stad::Index;
using stad::Result;
using stad::Status;

/// Adapts to rows [first, last) in batches of 64; returns the predictions of the last batch.
Result<stad::Predictions> adapt_rows(stad::Adapter& adapter, stad::MatrixView rows, Index first, Index last) {
  Result<stad::Predictions> answer = stad::invalid("the stream has fewer than 128 rows");
  for (Index row = first; row + 64 <= last; row += 64) {
    answer = adapter.adapt(rows.rows_from(row, 64));
    if (!answer) return answer;
  }
  return answer;
}

/// Adapts to the first half of the stream and writes the state.
Status adapt_and_save(const stad::SourceModel& source, stad::MatrixView rows, const std::string& path) {
  auto adapter = stad::make_adapter(source, stad::StadVmfOptions{});
  if (!adapter) return adapter.error();
  if (const auto answer = adapt_rows(**adapter, rows, 0, rows.rows / 128 * 64); !answer) return answer.error();
  return stad::write_state(path, (*adapter)->state());
}

/// Restores the state into a new adapter of the same head and adapts to the second half.
Result<stad::Predictions> restore_and_adapt(const stad::SourceModel& source, stad::MatrixView rows,
                                            const std::string& path) {
  auto adapter = stad::make_adapter(source, stad::StadVmfOptions{});
  if (!adapter) return adapter.error();
  const auto state = stad::read_state(path);
  if (!state) return state.error();
  if (const Status restored = (*adapter)->restore(*state); !restored) return restored.error();
  return adapt_rows(**adapter, rows, rows.rows / 128 * 64, rows.rows);
}

int fail(const stad::Error& error) {
  std::cerr << "save_and_restore: " << error.message << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fail(stad::invalid("usage: save_and_restore STREAM.npz STATE"));
  const auto source = stad::read_source(argv[1]);
  if (!source) return fail(source.error());
  const auto stream = stad::read_stream(argv[1]);
  if (!stream) return fail(stream.error());

  if (const Status saved = adapt_and_save(*source, stream->features, argv[2]); !saved) return fail(saved.error());
  const auto resumed = restore_and_adapt(*source, stream->features, argv[2]);
  if (!resumed) return fail(resumed.error());

  auto uninterrupted = stad::make_adapter(*source, stad::StadVmfOptions{});
  if (!uninterrupted) return fail(uninterrupted.error());
  const auto expected = adapt_rows(**uninterrupted, stream->features, 0, stream->features.rows);
  if (!expected) return fail(expected.error());

  const bool same = resumed->probabilities == expected->probabilities;
  std::cout << "predictions with and without a restart " << (same ? "are bit-identical" : "differ") << "\n";
  return same ? 0 : 1;
}
