#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/options.hpp>
#include <stad/source_model.hpp>

namespace stad {

/// Owning pointer.
using AdapterPointer = std::unique_ptr<Adapter>;

/// Creates the adapter of a method by the type of its options. Invalid options are an error.
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const SourceOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const T3aOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const LameOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const StadVmfOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const StadGaussOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const NormaliseOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const PriorOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const StadSafeOptions& options);

/// Creates the adapter of a method by name, with options as text.
STAD_API Result<AdapterPointer> make_adapter(std::string_view method, const SourceModel& source,
                                             const OptionValues& values = {});

/// Description of a method.
struct MethodInfo {
  std::string name;
  std::string summary;
  std::vector<OptionInfo> options;
};

/// The methods that adapt the last layer alone and need embeddings only.
STAD_API std::vector<MethodInfo> methods();

/// The methods that need the network; see backbone.hpp.
STAD_API std::vector<MethodInfo> network_methods();

}  // namespace stad
