#include "backbone/component.hpp"

#include <dlfcn.h>

#include <filesystem>

#include <fmt/format.h>

#include <stad/version.hpp>

#include "base/try.hpp"
#include "io/file_access.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

constexpr const char* kTorchFile = "libstad_torch.so";

/// Loads the component from the folder of this library if it exists there, else from the search path of the loader.
void* load_library() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&kTorchFile), &own) != 0 && own.dli_fname) {
    const auto beside = std::filesystem::path(own.dli_fname).parent_path() / kTorchFile;
    if (void* library = dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    if (std::error_code ignored; std::filesystem::exists(beside, ignored)) return nullptr;  // dlerror() has the reason
  }
  return dlopen(kTorchFile, RTLD_NOW | RTLD_LOCAL);
}

Result<const TorchComponent*> load_component() {
  void* library = load_library();
  if (!library) return invalid(fmt::format("the torch component cannot be loaded: {}", dlerror()));
  const auto entry = reinterpret_cast<const TorchComponent* (*)()>(dlsym(library, kTorchEntry));
  if (!entry) return invalid(fmt::format("the torch component cannot be used: {}", dlerror()));
  const TorchComponent* component = entry();
  if (std::string_view(component->version) != kVersion)
    return invalid(fmt::format("the torch component is of version {}, must be {}", component->version, kVersion));
  return component;
}

const Result<const TorchComponent*>& component() {
  static const Result<const TorchComponent*> loaded = load_component();
  return loaded;
}

}  // namespace

Status find_torch() {
  STAD_TRY(component());
  return {};
}

Result<BackbonePointer> open_backbone(const std::string& path, const std::string& head) {
  STAD_TRY(component());
  STAD_ASSIGN(const auto file, read_file(path));
  auto backbone = (*component())->open(file.bytes, head);
  if (!backbone) return within(file_name(path), backbone.error());
  return backbone;
}

Result<BackbonePointer> backbone_from_bytes(std::string_view bytes, const std::string& head) {
  STAD_TRY(component());
  return (*component())->open(std::as_bytes(std::span(bytes)), head);
}

Result<TrainedNetwork> train_network(const ImageStream& images, const TrainingSettings& settings,
                                     const KeepTraining& keep_training) {
  STAD_TRY(component());
  return (*component())->train(images, settings, keep_training);
}

}  // namespace stad
