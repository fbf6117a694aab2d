#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "math/scratch_rows.hpp"
#include "safe/params.hpp"

namespace stad {

/// A batch as the candidates of stad-safe see it.
struct CandidateRows {
  const Batch& batch;
  const DoubleRowsMap& logits;  ///< of the source, N x K
  const FloatRowsMap& chains;   ///< answer of the label chains of the base, N x K
};

/// A method that runs beside the base of stad-safe. Its answers are part of the protocol that the certificate decides,
/// and never depend on who answers.
class Candidate {
 public:
  explicit Candidate(std::string name) : name_(std::move(name)) {}
  virtual ~Candidate() = default;

  const std::string& name() const { return name_; }
  virtual Status adapt(const CandidateRows& rows, Predictions& answer) = 0;
  virtual Status predict(const CandidateRows& rows, Predictions& answer) const = 0;
  virtual bool learns_labels() const { return false; }
  /// Learns from labelled rows, if it learns from labels.
  virtual void learn(MatrixView, std::span<const std::int64_t>) {}

  virtual std::vector<Tensor> save() const = 0;
  virtual Status load(const AdapterState& state) = 0;
  /// Number of tensors of a state that load() reads or counts itself.
  virtual Index count_tensors(const AdapterState& state) const = 0;

 private:
  std::string name_;
};

using CandidatePointer = std::unique_ptr<Candidate>;
using Candidates = std::vector<CandidatePointer>;

/// The candidates that the options name; `auto` is resolved by the label budget and the source's certificate.
Result<Candidates> make_candidates(const SourceModel& source, const StadSafeOptions& options,
                                   const safe::CorrectionParams& params = {});

}  // namespace stad
