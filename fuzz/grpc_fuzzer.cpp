#include <cstddef>
#include <cstdint>
#include <string_view>

#include <google/protobuf/stubs/logging.h>
#include <open_inference.pb.h>

#include "common/error.hpp"
#include "infer_answer.hpp"
#include "server/grpc/infer_message.hpp"

namespace {

using namespace stad::fuzz;
using namespace stad::serving;

void check(const InferRequest& request, const TensorLimits& limits) {
  const auto rows = static_cast<std::size_t>(request.features.rows());
  require(rows >= 1 && rows <= limits.rows && static_cast<std::size_t>(request.features.size()) <= limits.values);
  require(request.row_ids.empty() || request.row_ids.size() == rows);
  require(request.stream.size() <= 256 && request.id.size() <= 256);
  const auto response = stad::server::write_grpc_response("m", request, answer_to(request));
  inference::ModelStreamInferResponse wrapped;
  require(wrapped.ParseFromString(stad::server::stream_response(response.body)));
  require(wrapped.infer_response().outputs_size() == wrapped.infer_response().raw_output_contents_size());
}

}  // namespace

// Input: a serialized ModelInferRequest. The result is a consistent request or an error with status 400 or 413.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const google::protobuf::LogSilencer silencer;
  const TensorLimits limits{.rows = 1000, .values = 10'000};
  inference::ModelInferRequest message;
  if (!message.ParseFromArray(data, static_cast<int>(size))) return 0;
  try {
    check(stad::server::request_from(message, limits), limits);
  } catch (const stad::AppError& failure) {
    require(stad::http_status(failure) == 400 || stad::http_status(failure) == 413);
    inference::ModelStreamInferResponse wrapped;
    require(wrapped.ParseFromString(stad::server::stream_error(failure.error.message, "")));
  }
  return 0;
}
