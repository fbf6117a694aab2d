#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/error.hpp"
#include "infer_answer.hpp"
#include "serving/protocol/infer_request.hpp"
#include "serving/protocol/infer_response.hpp"

namespace {

using namespace stad::fuzz;
using namespace stad::serving;

void check(const InferRequest& request, const TensorLimits& limits) {
  const auto rows = static_cast<std::size_t>(request.features.rows());
  require(rows >= 1 && rows <= limits.rows && static_cast<std::size_t>(request.features.size()) <= limits.values);
  require(request.row_ids.empty() || request.row_ids.size() == rows);
  require(request.stream.size() <= 256 && request.id.size() <= 256);
  const auto response = write_infer_response("m", request, answer_to(request));
  require(response.json_length.value_or(response.body.size()) <= response.body.size());
}

}  // namespace

// Input: two bytes for the length of the JSON (0xffff: none), then the body. The result is a consistent request or an
// error with status 400, 413 or 501.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t length = data[0] + 256U * data[1];
  const std::string_view body(reinterpret_cast<const char*>(data) + 2, size - 2);
  const TensorLimits limits{.rows = 1000, .values = 10'000};
  try {
    check(read_infer_request(body, length == 0xffff ? std::nullopt : std::optional(length), limits), limits);
  } catch (const stad::AppError& failure) {
    const int status = stad::http_status(failure);
    require(status == 400 || status == 413 || status == 501);
  }
  return 0;
}
