#include "cluster/client/result.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/refusal.hpp"

namespace stad::cluster {
namespace {

using Json = nlohmann::ordered_json;

/// As JSON numbers, or as the next of the bytes behind the JSON. Whichever the client wanted.
template <typename T>
std::vector<T> take_values(const Json& output, std::string_view& rest) {
  if (const auto data = output.find("data"); data != output.end()) return data->get<std::vector<T>>();
  const std::string_view bytes = rest.substr(0, output.at("parameters").at("binary_data_size").get<std::size_t>());
  rest.remove_prefix(bytes.size());
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

void read_answer(const Delivery& delivery, ResultOfBatch& result) {
  const std::string_view payload = delivery.payload();
  const std::size_t length =
      std::min<std::size_t>(delivery.number(kJsonLength).value_or(payload.size()), payload.size());
  const Json answer = Json::parse(payload.substr(0, length));
  std::string_view rest = payload.substr(length);
  for (const auto& output : answer.at("outputs")) {
    if (output.at("datatype") == "FP32") {
      auto values = take_values<float>(output, rest);
      if (output.at("name") == "probabilities") result.probabilities = std::move(values);
    } else {
      auto values = take_values<std::int64_t>(output, rest);
      if (output.at("name") == "label") result.labels = std::move(values);
    }
  }
}

}  // namespace

ResultOfBatch read_result(const Delivery& delivery) {
  ResultOfBatch result;
  result.name = stream_of_subject(delivery.subject());
  const auto sequence = delivery.number(kSequence);
  if (!sequence)
    server::refuse(400, fmt::format("message {} of {} has no {}", delivery.sequence, kOutputStream, kSequence));
  result.sequence = *sequence;
  if (const auto error = delivery.header(kError)) {
    result.error = *error;
    return result;
  }
  try {
    read_answer(delivery, result);
  } catch (const Json::exception& broken) {
    result.error = fmt::format("the result for input {} cannot be read: {}", *sequence, broken.what());
    return result;
  }
  if (result.labels.empty() || result.probabilities.empty() || result.probabilities.size() % result.labels.size() != 0)
    result.error = fmt::format("the result for input {} has not both label and probabilities", *sequence);
  return result;
}

}  // namespace stad::cluster
