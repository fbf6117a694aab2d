#include "cluster/client/input_message.hpp"

#include <bit>
#include <chrono>

#include <fmt/format.h>

#include "server/serving/keeper.hpp"

namespace stad::cluster {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors travel as they lie in memory");
constexpr std::size_t kRoomBesideTensor = 8192;  // bytes, for the request's JSON and headers

}  // namespace

Message input_message(const StreamName& name, MatrixView features, std::optional<double> time, const std::string& id) {
  const std::size_t bytes = static_cast<std::size_t>(features.rows * features.cols) * sizeof(float);
  Message message{input_subject(name), {}, {}};
  message.payload = fmt::format(
      R"({{"parameters":{{{}"binary_data_output":true}},"inputs":[{{"name":"features","shape":[{},{}],"datatype":"FP32",)"
      R"("parameters":{{"binary_data_size":{}}}}}]}})",
      time ? fmt::format(R"("time":{},)", *time) : "", features.rows, features.cols, bytes);
  message.set(kMessageId, id);
  message.set(kJsonLength, message.payload.size());
  message.set(kShape, fmt::format("{}x{}", features.rows, features.cols));
  message.set(kTime, fmt::format("{:.6f}", server::now_in_seconds()));
  for (Index n = 0; n < features.rows; ++n) {
    const auto row = features.row(n);
    message.payload.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  }
  return message;
}

Index rows_that_fit(std::size_t max_payload, Index dimension) {
  if (max_payload <= kRoomBesideTensor) return 0;
  return static_cast<Index>((max_payload - kRoomBesideTensor) / (static_cast<std::size_t>(dimension) * sizeof(float)));
}

}  // namespace stad::cluster
