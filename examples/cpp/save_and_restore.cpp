// A service that is stopped and started again: the state goes to a file, and a new adapter goes on from there as if
// nothing had happened, to the last bit.
//   save_and_restore STREAM.npz STATE

#include <iostream>
#include <string>

#include <stad/files.hpp>
#include <stad/methods.hpp>

namespace {

using stad::Index;
using stad::Result;
using stad::Status;

/// Adapts along the rows from `first` to before `last`; the answer to the last batch.
Result<stad::Predictions> follow(stad::Adapter& adapter, stad::MatrixView rows, Index first, Index last) {
  Result<stad::Predictions> answer = stad::invalid("the stream has fewer than 128 rows");
  for (Index row = first; row + 64 <= last; row += 64) {
    answer = adapter.adapt(rows.rows_from(row, 64));
    if (!answer) return answer;
  }
  return answer;
}

/// Monday: the first half of the stream, and then the state to a file.
Status work_and_save(const stad::SourceModel& source, stad::MatrixView rows, const std::string& path) {
  auto adapter = stad::make_adapter(source, stad::StadSafeOptions{});
  if (!adapter) return adapter.error();
  if (const auto answer = follow(**adapter, rows, 0, rows.rows / 128 * 64); !answer) return answer.error();
  return stad::write_state(path, (*adapter)->state());
}

/// Tuesday: a new adapter of the same head takes the state and goes on with the second half.
Result<stad::Predictions> restore_and_work(const stad::SourceModel& source, stad::MatrixView rows,
                                           const std::string& path) {
  auto adapter = stad::make_adapter(source, stad::StadSafeOptions{});
  if (!adapter) return adapter.error();
  const auto state = stad::read_state(path);
  if (!state) return state.error();
  if (const Status restored = (*adapter)->restore(*state); !restored) return restored.error();
  return follow(**adapter, rows, rows.rows / 128 * 64, rows.rows);
}

int complain(const stad::Error& error) {
  std::cerr << "save_and_restore: " << error.message << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return complain(stad::invalid("usage: save_and_restore STREAM.npz STATE"));
  const auto source = stad::read_source(argv[1]);
  if (!source) return complain(source.error());
  const auto stream = stad::read_stream(argv[1]);
  if (!stream) return complain(stream.error());

  if (const Status saved = work_and_save(*source, stream->features, argv[2]); !saved) return complain(saved.error());
  const auto resumed = restore_and_work(*source, stream->features, argv[2]);
  if (!resumed) return complain(resumed.error());

  auto undisturbed = stad::make_adapter(*source, stad::StadSafeOptions{});
  if (!undisturbed) return complain(undisturbed.error());
  const auto expected = follow(**undisturbed, stream->features, 0, stream->features.rows);
  if (!expected) return complain(expected.error());

  const bool same = resumed->probabilities == expected->probabilities;
  std::cout << "the last answers are " << (same ? "the same bits" : "different") << " with and without a restart\n";
  return same ? 0 : 1;
}
