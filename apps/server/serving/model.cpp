#include "server/serving/model.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>

#include <fmt/format.h>

#include "server/refusal.hpp"

namespace stad::server {
namespace {

constexpr std::array kModeNames{std::string_view("active"), std::string_view("shadow"), std::string_view("frozen")};

/// Names stand in paths, labels of metrics and files.
Status check_name(const std::string& name) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; };
  if (!name.empty() && name.size() <= 64 && name[0] != '.' && std::all_of(name.begin(), name.end(), is_plain))
    return {};
  return invalid(fmt::format(
      "model name is '{}', must be 1 to 64 letters, digits, '-', '_' or '.', not beginning with '.'", name));
}

/// An adapter holds its prototypes and the sums they are made of, four times the head in most methods, and a little for
/// the rest. What t3a and stad-gauss keep beyond that is not foreseen.
std::int64_t bytes_of_stream(const SourceModel& source) {
  return static_cast<std::int64_t>(sizeof(float)) * source.classes() * source.dimension() * 4 + 16384;
}

}  // namespace

std::string_view name_of(Mode mode) { return kModeNames[static_cast<std::size_t>(mode)]; }

Mode mode_of(std::string_view name) {
  const auto found = std::find(kModeNames.begin(), kModeNames.end(), name);
  if (found == kModeNames.end()) refuse(400, fmt::format("mode is '{}', must be active, shadow or frozen", name));
  return static_cast<Mode>(found - kModeNames.begin());
}

Result<std::shared_ptr<Model>> Model::create(ModelSpecification specification, const SourceModel& source) {
  return create(std::move(specification), [source](const std::string& method, const OptionValues& options) {
    return stad::make_adapter(method, source, options);
  });
}

Result<std::shared_ptr<Model>> Model::create(ModelSpecification specification, const BackbonePointer& network,
                                             ImageShape shape) {
  auto model =
      create(std::move(specification), [network, shape](const std::string& method, const OptionValues& options) {
        return network->make_adapter(method, shape, options);
      });
  if (!model) return model;
  (*model)->image_shape_ = shape;
  (*model)->stream_bytes_ += static_cast<std::int64_t>(sizeof(float)) * 2 * network->info().parameters;
  return model;
}

Result<std::shared_ptr<Model>> Model::create(ModelSpecification specification, Make make) {
  if (const Status status = check_name(specification.name); !status) return status.error();
  auto first = make(specification.method, specification.options);
  if (!first) return invalid(fmt::format("model {}: {}", specification.name, first.error().message));
  auto unadapted = make("source", {});
  if (!unadapted) return unadapted.error();
  return std::shared_ptr<Model>(new Model(std::move(specification), std::move(make), **first, *std::move(unadapted)));
}

Model::Model(ModelSpecification specification, Make make, const Adapter& first, AdapterPointer unadapted)
    : specification_(std::move(specification)),
      make_(std::move(make)),
      options_(first.options()),
      mode_(specification_.mode),
      unadapted_(std::move(unadapted)),
      stream_bytes_(bytes_of_stream(unadapted_->source())) {}

void Model::retire() {
  const std::unique_lock lock(retiring_);
  is_retired_ = true;
}

bool Model::while_served(const std::function<void()>& write) const {
  const std::shared_lock lock(retiring_);
  if (!is_retired_) write();
  return !is_retired_;
}

void Model::check_is_served() const {
  if (is_retired()) refuse(404, fmt::format("model {} was removed", name()));
}

bool Model::tells_unknown() const {
  return std::find(options_.begin(), options_.end(), OptionSetting{"unknown", "on", false}) != options_.end();
}

}  // namespace stad::server
