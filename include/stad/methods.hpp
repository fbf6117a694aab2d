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

/// The adapter is yours alone.
using AdapterPointer = std::unique_ptr<Adapter>;

/// The adapter of a method, by the type of its options. Options that break a rule are refused.
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const SourceOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const T3aOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const LameOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const StadVmfOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const StadGaussOptions& options);
STAD_API Result<AdapterPointer> make_adapter(const SourceModel& source, const StadSafeOptions& options);

/// By name, with options as text: what a command line or a configuration file has.
STAD_API Result<AdapterPointer> make_adapter(std::string_view method, const SourceModel& source,
                                             const OptionValues& values = {});

/// A method as `stad methods` shows it.
struct MethodInfo {
  std::string name;
  std::string summary;
  std::vector<OptionInfo> options;
};

/// Every method that adapts the last layer alone: what it needs is embeddings.
STAD_API std::vector<MethodInfo> methods();

/// Every method that needs the network itself; see backbone.hpp.
STAD_API std::vector<MethodInfo> network_methods();

}  // namespace stad
