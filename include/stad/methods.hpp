#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/options.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

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

/// Results of a candidate of stad-safe along a labelled history.
struct CandidateRecord {
  std::string name;
  bool answers = false;                    ///< after the last step
  std::optional<double> admitted;          ///< time of the step after which it was first admitted
  double wealth = 0;                       ///< after the last step
  double threshold = 0;                    ///< wealth at which it is admitted
  double gain = 0;                         ///< mean over the steps of its accuracy minus the base's
  double gain_error = 0;                   ///< half the width of a 95 % interval of the gain, steps independent
  double worst_gain = 0;                   ///< its gain over the run of steps in which it lost most; 0 if none
  double worst_from = 0, worst_until = 0;  ///< times of the first and last step of that run
};

/// Result of certify().
struct Certification {
  SourceModel source;  ///< with the certificate
  Index rows = 0;
  Index steps = 0;
  std::vector<CandidateRecord> candidates;
};

/// Runs candidates of stad-safe along a labelled history and makes a certificate with which a deployment starts, its
/// watch armed. Every time step is one bet, because rows of a step are not independent: on the share of the rows with
/// different labels on which the candidate alone is right, minus the share on which the base alone is. The history must
/// have labels and times, in ascending order, and must not have been used to fit the head or its card.
/// @param candidates names separated by commas, as in StadSafeOptions; auto: chains,fine-tune
STAD_API Result<Certification> certify(const SourceModel& source, const FeatureStream& history,
                                       const std::string& candidates = "auto", Index batch_size = 64);

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
