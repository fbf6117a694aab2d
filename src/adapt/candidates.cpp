#include "adapt/candidates.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "adapt/answer.hpp"
#include "adapt/normalise_adapter.hpp"
#include "adapt/rules.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "safe/head_correction.hpp"

namespace stad {
namespace {

/// The label chains of the base, whether its tests allow them or not.
class ChainCandidate final : public Candidate {
 public:
  using Candidate::Candidate;

  Status adapt(const CandidateRows& rows, Predictions& answer) override { return predict(rows, answer); }
  Status predict(const CandidateRows& rows, Predictions& answer) const override {
    serve_probabilities(rows.chains, answer);
    return {};
  }
  std::vector<Tensor> save() const override { return {}; }
  Status load(const AdapterState&) override { return {}; }
  Index count_tensors(const AdapterState&) const override { return 0; }
};

/// The source with a correction of its logits that is fitted to the labels.
class FineTuneCandidate final : public Candidate {
 public:
  FineTuneCandidate(std::string name, const SourceModel& source, const safe::CorrectionParams& params)
      : Candidate(std::move(name)), temperature_(source.card().temperature.value_or(1)), correction_(source, params) {}

  Status adapt(const CandidateRows& rows, Predictions& answer) override { return predict(rows, answer); }

  Status predict(const CandidateRows& rows, Predictions& answer) const override {
    Scratch scratch;
    auto logits = take_rows<double>(scratch, rows.logits.rows(), rows.logits.cols());
    logits = rows.logits / temperature_;
    correction_.apply(rows.batch.features, logits);
    serve(logits, answer);
    return {};
  }

  bool learns_labels() const override { return true; }
  void learn(MatrixView features, std::span<const std::int64_t> labels) override {
    for (Index n = 0; n < features.rows; ++n)
      correction_.add(features.row(n), static_cast<Index>(labels[static_cast<std::size_t>(n)]));
    correction_.fit();
  }

  std::vector<Tensor> save() const override {
    const auto& state = correction_.state();
    const Index rows = state.rows.count();
    return {to_tensor<float>("candidate.fine-tune.rows", state.rows.rows().topRows(rows)),
            to_tensor("candidate.fine-tune.labels",
                      std::vector<std::int64_t>(state.labels.begin(), state.labels.begin() + rows)),
            to_tensor<double>("candidate.fine-tune.dual", state.dual.topRows(rows)),
            to_tensor("candidate.fine-tune.next", std::vector<std::int64_t>{state.rows.next()}),
            to_tensor("candidate.fine-tune.scale", std::vector<double>{state.scale})};
  }

  Status load(const AdapterState& state) override {
    auto own = correction_.state();
    const Index classes = own.dual.cols();
    STAD_ASSIGN(const auto rows,
                read_rows<float>(state, "candidate.fine-tune.rows", kAnyLength, own.rows.rows().cols(), 1e38));
    STAD_ASSIGN(const auto labels, read_integers(state, "candidate.fine-tune.labels", rows.rows(), 0, classes - 1));
    STAD_ASSIGN(const auto dual, read_rows<double>(state, "candidate.fine-tune.dual", rows.rows(), classes));
    STAD_ASSIGN(const auto next, read_integers(state, "candidate.fine-tune.next", 1, 0, own.rows.rows().rows()));
    STAD_ASSIGN(const auto scale, read_doubles(state, "candidate.fine-tune.scale", 1, 1e-13, 1e80));
    STAD_TRY(check_ring("candidate.fine-tune.rows", rows.rows(), next.front(), own.rows.rows().rows()));
    own.rows.restore(rows, next.front());
    std::ranges::copy(labels, own.labels.begin());
    own.dual.topRows(rows.rows()) = dual;
    own.scale = scale.front();
    correction_.restore(std::move(own));
    return {};
  }

  Index count_tensors(const AdapterState&) const override { return 5; }

 private:
  double temperature_;
  safe::HeadCorrection correction_;
};

/// A method of its own as a candidate. It computes the source's products again where it needs them.
class MethodCandidate : public Candidate {
 public:
  MethodCandidate(std::string name, std::unique_ptr<Adapter> adapter)
      : Candidate(std::move(name)), adapter_(std::move(adapter)) {}

  Status adapt(const CandidateRows& rows, Predictions& answer) override { return adapter_->adapt(rows.batch, answer); }
  Status predict(const CandidateRows& rows, Predictions& answer) const override {
    return adapter_->predict(rows.batch, answer);
  }

  std::vector<Tensor> save() const override {
    std::vector<Tensor> tensors = adapter_->state().tensors;
    for (Tensor& tensor : tensors) tensor.name = prefix() + tensor.name;
    return tensors;
  }

  Status load(const AdapterState& state) override {
    AdapterState own = adapter_->state();
    own.tensors.clear();
    for (Tensor tensor : state.tensors)
      if (tensor.name.starts_with(prefix())) {
        tensor.name.erase(0, prefix().size());
        own.tensors.push_back(std::move(tensor));
      }
    const Status restored = adapter_->restore(own);
    return restored ? restored : invalid(fmt::format("candidate {}: {}", name(), restored.error().message));
  }

  Index count_tensors(const AdapterState& state) const override {
    return std::ranges::count_if(state.tensors, [&](const Tensor& t) { return t.name.starts_with(prefix()); });
  }

 private:
  std::string prefix() const { return "candidate." + name() + "."; }

  std::unique_ptr<Adapter> adapter_;
};

/// Re-centring from the source's logits, which costs one vector addition a row.
class RecentreCandidate final : public MethodCandidate {
 public:
  /// @param recentre the adapter itself
  RecentreCandidate(std::string name, std::unique_ptr<Adapter> adapter, NormaliseAdapter& recentre)
      : MethodCandidate(std::move(name), std::move(adapter)), recentre_(recentre) {}

  Status adapt(const CandidateRows& rows, Predictions& answer) override {
    recentre_.adapt_logits(rows.logits, answer);
    return {};
  }

 private:
  NormaliseAdapter& recentre_;
};

Result<CandidatePointer> make_recentre(std::string name, const SourceModel& source, NormaliseKind kind) {
  STAD_TRY(check_normalisation(source, kind));
  auto adapter = std::make_unique<NormaliseAdapter>(source, NormaliseOptions{kind});
  NormaliseAdapter& recentre = *adapter;
  return CandidatePointer(std::make_unique<RecentreCandidate>(std::move(name), std::move(adapter), recentre));
}

Result<CandidatePointer> make_candidate(std::string name, const SourceModel& source,
                                        const safe::CorrectionParams& params) {
  if (name == "chains") return CandidatePointer(std::make_unique<ChainCandidate>(std::move(name)));
  if (name == "fine-tune")
    return CandidatePointer(std::make_unique<FineTuneCandidate>(std::move(name), source, params));
  if (name == "recentre") return make_recentre(std::move(name), source, NormaliseKind::kRecentre);
  if (name == "half") return make_recentre(std::move(name), source, NormaliseKind::kHalf);
  const bool standardises = name == "standardise";
  STAD_ASSIGN(AdapterPointer adapter, standardises ? make_adapter(source, NormaliseOptions{NormaliseKind::kStandardise})
                                                   : make_adapter(name, source, {}));
  adapter->watch(HealthLevel::kNone);
  return CandidatePointer(std::make_unique<MethodCandidate>(std::move(name), std::move(adapter)));
}

std::string resolved_names(const SourceModel& source, const StadSafeOptions& options) {
  if (options.candidates == "none") return "";
  if (options.candidates != "auto") return options.candidates;
  if (source.certificate()) return source.certificate()->options.front().value;
  return options.label_budget > 0 ? "chains,fine-tune" : "";
}

}  // namespace

Result<Candidates> make_candidates(const SourceModel& source, const StadSafeOptions& options,
                                   const safe::CorrectionParams& params) {
  const std::string names = resolved_names(source, options);
  Candidates candidates;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    auto made = make_candidate(names.substr(begin, end - begin), source, params);
    if (!made) return invalid(fmt::format("stad-safe: candidates: {}", made.error().message));
    candidates.push_back(*std::move(made));
    begin = end + 1;
  }
  if (candidates.empty() && options.label_budget > 0)
    return invalid("stad-safe: label_budget needs candidates that labels decide between; candidates is none");
  return candidates;
}

}  // namespace stad
