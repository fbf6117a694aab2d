#include "serving/model.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>

#include <fmt/format.h>

#include "common/error.hpp"

namespace stad::serving {
namespace {

constexpr std::array kModeNames{std::string_view("active"), std::string_view("shadow"), std::string_view("frozen")};

/// Names appear in paths, labels of metrics and file names.
Status check_name(const std::string& name) {
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; };
  if (!name.empty() && name.size() <= 64 && name[0] != '.' && std::all_of(name.begin(), name.end(), is_allowed))
    return {};
  return invalid(fmt::format(
      "model name is '{}', must be 1 to 64 letters, digits, '-', '_' or '.', not beginning with '.'", name));
}

/// An adapter holds prototypes and sufficient statistics, in most methods four times the size of the classifier, and
/// 16 KB beside. stad-safe holds about 256 values a class and, without a card, a K x K matrix, and 32 KB beside. The
/// larger states of t3a and stad-gauss are counted once they were saved (StreamSession::bytes).
std::int64_t bytes_of_stream(const std::string& method, const SourceModel& source) {
  const Index classes = source.classes();
  const bool is_guarded = method == "stad-safe";
  const Index row = is_guarded ? 256 + (source.card().means.empty() ? classes : 0) : 4 * source.dimension();
  return static_cast<std::int64_t>(sizeof(float)) * classes * row + (is_guarded ? 32768 : 16384);
}

}  // namespace

std::string_view name_of(Mode mode) { return kModeNames[static_cast<std::size_t>(mode)]; }

Mode mode_of(std::string_view name) {
  const auto found = std::find(kModeNames.begin(), kModeNames.end(), name);
  if (found == kModeNames.end()) reject(400, fmt::format("mode is '{}', must be active, shadow or frozen", name));
  return static_cast<Mode>(found - kModeNames.begin());
}

Result<std::shared_ptr<ServedModel>> ServedModel::create(ModelSpecification specification, const SourceModel& source) {
  return create(std::move(specification), [source](const std::string& method, const OptionValues& options) {
    return stad::make_adapter(method, source, options);
  });
}

Result<std::shared_ptr<ServedModel>> ServedModel::create(ModelSpecification specification,
                                                         const BackbonePointer& network, ImageShape shape) {
  auto model =
      create(std::move(specification), [network, shape](const std::string& method, const OptionValues& options) {
        return network->make_adapter(method, shape, options);
      });
  if (!model) return model;
  (*model)->image_shape_ = shape;
  (*model)->stream_bytes_ += static_cast<std::int64_t>(sizeof(float)) * 2 * network->info().parameters;
  return model;
}

Result<std::shared_ptr<ServedModel>> ServedModel::create(ModelSpecification specification, Make make) {
  if (const Status status = check_name(specification.name); !status) return status.error();
  auto first = make(specification.method, specification.options);
  if (!first) return invalid(fmt::format("model {}: {}", specification.name, first.error().message));
  auto unadapted = make("source", {});
  if (!unadapted) return unadapted.error();
  return std::shared_ptr<ServedModel>(
      new ServedModel(std::move(specification), std::move(make), **first, *std::move(unadapted)));
}

ServedModel::ServedModel(ModelSpecification specification, Make make, const Adapter& first, AdapterPointer unadapted)
    : specification_(std::move(specification)),
      make_(std::move(make)),
      options_(first.options()),
      mode_(specification_.mode),
      unadapted_(std::move(unadapted)),
      stream_bytes_(bytes_of_stream(specification_.method, unadapted_->source())) {}

void ServedModel::retire() {
  const std::unique_lock lock(retiring_);
  is_retired_ = is_read_only_ = true;
}

bool ServedModel::if_served(const std::function<void()>& write) const {
  const std::shared_lock lock(retiring_);
  if (!is_read_only_) write();
  return !is_read_only_;
}

void ServedModel::check_is_served() const {
  if (is_retired()) reject(404, fmt::format("model {} was removed or unloaded", name()));
}

void Models::add(ModelPointer model) {
  const std::scoped_lock lock(mutex_);
  const std::string name = model->name();
  if (!models_.emplace(name, std::move(model)).second) reject(409, fmt::format("model {} exists already", name));
}

void Models::remove(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  models_.erase(name);
}

ModelPointer Models::find(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = models_.find(name);
  if (found != models_.end()) return found->second;
  std::string names;
  for (const auto& [other, model] : models_) names += (names.empty() ? "" : ", ") + other;
  reject(404, fmt::format("model '{}' not found; available: {}", name, names.empty() ? "none" : names));
}

ModelPointer Models::find_or_null(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = models_.find(name);
  return found == models_.end() ? nullptr : found->second;
}

std::vector<ModelPointer> Models::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<ModelPointer> models;
  for (const auto& [name, model] : models_) models.push_back(model);
  return models;
}

}  // namespace stad::serving
