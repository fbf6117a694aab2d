#include "client/result.hpp"

#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "refusal.hpp"

namespace stad::cluster {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
std::vector<T> values_of(std::string_view bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
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
  const std::size_t length = delivery.number(kJsonLength).value_or(delivery.payload().size());
  const Json answer = Json::parse(delivery.payload().substr(0, length), nullptr, false);
  std::string_view rest = delivery.payload().substr(std::min(length, delivery.payload().size()));
  const Json outputs = answer.is_object() ? answer.value("outputs", Json::array()) : Json::array();
  for (const auto& output : outputs) {
    const auto size = output.value("parameters", Json::object()).value("binary_data_size", std::size_t{0});
    const std::string_view bytes = rest.substr(0, size);
    rest.remove_prefix(bytes.size());
    const std::string name = output.value("name", "");
    if (name == "label") result.labels = values_of<std::int64_t>(bytes);
    if (name == "probabilities") result.probabilities = values_of<float>(bytes);
  }
  if (result.labels.empty() || result.probabilities.size() % result.labels.size() != 0)
    server::refuse(400, fmt::format("the result for input {} has no label and probabilities as bytes", *sequence));
  return result;
}

}  // namespace stad::cluster
