#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "io/bytes.hpp"
#include "io/csv.hpp"

// Decodes any text as a stream. An accepted stream has one label and time for each row, and as many rows as its
// summary.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = stad::as_text(stad::as_bytes(data, size));
  (void)stad::decode_csv(text, {"y", "t"});
  const auto summary = stad::summarise_csv(text);
  const auto stream = stad::decode_csv(text, {});
  if (!stream) return 0;
  const auto rows = stream->features.rows;
  if (!summary || summary->rows != rows) std::abort();
  if (stream->has_labels() && static_cast<stad::Index>(stream->labels.size()) != rows) std::abort();
  if (stream->has_time() && static_cast<stad::Index>(stream->time.size()) != rows) std::abort();
  return 0;
}
