#include "server/serving/model_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/refusal.hpp"

namespace stad::server {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const std::string& key, const Json& value) {
  if (!value.is_string()) refuse(400, fmt::format("{} is {}, must be a text", key, value.dump()));
  return value.get<std::string>();
}

double count_of(const std::string& key, const Json& value) {
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1e6)
    refuse(400, fmt::format("{} is {}, must be a number from 0 to 1000000", key, value.dump()));
  return value.get<double>();
}

/// As a person writes it on the command line.
std::string option_text(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number()) return value.dump();
  refuse(400, fmt::format("options.{} is {}, must be a number, a text, true or false", name, value.dump()));
}

OptionValues options_of(const Json& value) {
  if (!value.is_object()) refuse(400, fmt::format("options is {}, must be an object", value.dump()));
  OptionValues options;
  for (const auto& [name, option] : value.items()) options.emplace_back(name, option_text(name, option));
  return options;
}

}  // namespace

ModelSpecification specification_of(const Json& object) {
  if (!object.is_object()) refuse(400, "a model must be described by a JSON object");
  ModelSpecification specification;
  for (const auto& [key, value] : object.items()) {
    if (key == "name")
      specification.name = text_of(key, value);
    else if (key == "method")
      specification.method = text_of(key, value);
    else if (key == "options")
      specification.options = options_of(value);
    else if (key == "mode")
      specification.mode = mode_of(text_of(key, value));
    else if (key == "max_batch")
      specification.max_batch = static_cast<Index>(count_of(key, value));
    else if (key == "max_delay")
      specification.max_delay = std::chrono::microseconds(static_cast<std::int64_t>(1000 * count_of(key, value)));
    else
      refuse(400,
             fmt::format("'{}' is no property of a model; there are name, method, options, mode, max_batch, max_delay",
                         key));
  }
  return specification;
}

ModelSpecification specification_of(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (object.is_discarded()) refuse(400, "the model is not described by valid JSON");
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
