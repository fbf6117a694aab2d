#include "backbone/component.hpp"

#include <stad/version.hpp>

#include "torch/torch_backbone.hpp"
#include "torch/train.hpp"

namespace stad::backbone {
namespace {

const TorchComponent kComponent{kVersion, &TorchBackbone::open, &train};

}  // namespace
}  // namespace stad::backbone

extern "C" STAD_API const stad::TorchComponent* stad_torch_component();
const stad::TorchComponent* stad_torch_component() { return &stad::backbone::kComponent; }
