#include "server/service/model_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"

namespace stad::server {
namespace {

using Json = nlohmann::ordered_json;

std::string string_of(const std::string& key, const Json& value) {
  if (!value.is_string()) reject(400, fmt::format("{} is {}, must be a string", key, value.dump()));
  return value.get<std::string>();
}

double count_of(const std::string& key, const Json& value) {
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1e6)
    reject(400, fmt::format("{} is {}, must be a number from 0 to 1000000", key, value.dump()));
  return value.get<double>();
}

/// As on the command line.
std::string option_text(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number()) return value.dump();
  reject(400, fmt::format("options.{} is {}, must be a number, a string, true or false", name, value.dump()));
}

OptionValues options_of(const Json& value) {
  if (!value.is_object()) reject(400, fmt::format("options is {}, must be an object", value.dump()));
  OptionValues options;
  for (const auto& [name, option] : value.items()) options.emplace_back(name, option_text(name, option));
  return options;
}

}  // namespace

ModelSpecification specification_of(const Json& object) {
  if (!object.is_object()) reject(400, "a model must be a JSON object");
  ModelSpecification specification;
  for (const auto& [key, value] : object.items()) {
    if (key == "name")
      specification.name = string_of(key, value);
    else if (key == "method")
      specification.method = string_of(key, value);
    else if (key == "options")
      specification.options = options_of(value);
    else if (key == "mode")
      specification.mode = mode_of(string_of(key, value));
    else if (key == "max_batch")
      specification.max_batch = static_cast<Index>(count_of(key, value));
    else if (key == "max_delay")
      specification.max_delay = std::chrono::microseconds(static_cast<std::int64_t>(1000 * count_of(key, value)));
    else
      reject(400,
             fmt::format(
                 "unknown property '{}' of a model, must be one of name, method, options, mode, max_batch, max_delay",
                 key));
  }
  return specification;
}

ModelSpecification parse_specification(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (object.is_discarded()) reject(400, "the model is not valid JSON");
  return specification_of(object);
}

std::string specification_json(const ModelSpecification& specification) {
  Json options = Json::object();
  for (const auto& [name, value] : specification.options) options[name] = value;
  return Json{{"name", specification.name},
              {"method", specification.method},
              {"options", options},
              {"mode", name_of(specification.mode)},
              {"max_batch", specification.max_batch},
              {"max_delay", static_cast<double>(specification.max_delay.count()) / 1000}}
      .dump();
}

}  // namespace stad::server
