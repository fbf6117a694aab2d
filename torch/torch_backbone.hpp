#pragma once

#include <stad/backbone.hpp>

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// A TorchScript network as a Backbone.
class TorchBackbone final : public Backbone {
 public:
  static Result<BackbonePointer> open(std::span<const std::byte> file, const std::string& head);

  const BackboneInfo& info() const override { return info_; }
  const SourceModel& source() const override { return source_; }
  Result<BackbonePointer> with_source(const SourceModel& source) const override;
  Result<Matrix> features(MatrixView images, ImageShape shape) const override;
  Result<AdapterPointer> make_adapter(std::string_view method, ImageShape shape,
                                      const OptionValues& values) const override;
  Result<AdapterPointer> make_oracle(const ImageStream& labelled, const OptionValues& values) const override;

 private:
  TorchBackbone(NetworkPointer network, SourceModel source);
  /// Runs the network on two blank images of this shape.
  Status check_shape(const ImageShape& shape) const;

  NetworkPointer network_;
  SourceModel source_;
  BackboneInfo info_;
};

}  // namespace stad::backbone
