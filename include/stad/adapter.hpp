#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <stad/adapter_state.hpp>
#include <stad/batch.hpp>
#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/predictions.hpp>
#include <stad/source_model.hpp>

namespace stad {

/// Counts of labels passed to Adapter::observe().
struct Observed {
  Index used = 0;
  Index forgotten = 0;  ///< labels of rows that had no id or were discarded since
};

/// How the rows of a set of labels were selected.
enum class LabelSampling {
  kAny,     ///< in any way: the labels teach, and prove nothing
  kUniform  ///< uniformly at random among recent rows, before their labels were known: they prove as well
};

/// A classifier that adapts to a stream of unlabelled batches. One adapter serves one stream and is not thread-safe;
/// different adapters may run in different threads. Deterministic: equal batches in equal order give equal bits.
class STAD_API Adapter {
 public:
  virtual ~Adapter();

  virtual std::string_view method() const = 0;
  virtual std::vector<OptionSetting> options() const = 0;
  const SourceModel& source() const { return source_; }
  /// Number of values of a row: D for methods on embeddings, the size of an image for methods that run the network.
  virtual Index input_dimension() const { return source_.dimension(); }

  /// Adapts to the batch and predicts it. An invalid batch (no rows, another dimension, a value or time that is not
  /// finite) is an error and leaves the adapter unchanged.
  Result<Predictions> adapt(const Batch& batch);
  /// The same into an existing answer, whose memory is reused: a loop over batches of one size does not allocate.
  Status adapt(const Batch& batch, Predictions& answer);

  /// Predicts the batch without adapting to it.
  Result<Predictions> predict(const Batch& batch) const;
  Status predict(const Batch& batch, Predictions& answer) const;

  /// Whether the method learns from late labels. If not, observe() is an error.
  virtual bool takes_labels() const { return false; }

  /// Learns the true classes of earlier rows, identified by the ids of their batches. Labels are classes, 0 to K - 1.
  /// One invalid label is an error and leaves the adapter unchanged. The same label for the same row counts once.
  Result<Observed> observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels);
  /// Learns from labelled rows given with their features, whether they were part of an earlier batch or not. Rows given
  /// twice count twice. Only stad-safe with candidates uses how the rows were sampled.
  Result<Observed> observe(const Batch& batch, std::span<const std::int64_t> labels,
                           LabelSampling sampling = LabelSampling::kAny);

  /// The complete state of the method.
  AdapterState state() const;

  /// Continues from a saved state, bit for bit. A state of another method, head or option is an error and leaves the
  /// adapter unchanged.
  Status restore(const AdapterState& state);

  /// K x D: the adapted weights of the last layer.
  virtual Matrix prototypes() const = 0;

  /// Sets how much health monitoring adds to answers, and resets its counts, which are not part of the state. Adapters
  /// made by make_adapter() start at kBasic.
  virtual void watch(HealthLevel) {}
  /// Sets whether answers of methods on embeddings include the predictions of the source. They cost less than separate
  /// ones: methods that evaluate the source themselves, such as stad-safe, do so once. Off at first.
  virtual void report_source(bool reports) { reports_source_ = reports; }
  /// Who answers and why, for methods with a guard.
  virtual std::optional<Guard> guard() const { return std::nullopt; }
  /// Adds the candidates of stad-safe and the number of pending label requests.
  virtual void write_candidates(Health&) const {}
  /// Health of the classifier independent of a batch: guard, candidates, dispersion and movement.
  Health health() const;

 protected:
  explicit Adapter(SourceModel source);
  bool reports_source() const { return reports_source_; }

 private:
  // The batch satisfies the rules that adapt() and predict() check. Implementations write every field of the answer.
  virtual Status adapt_checked(const Batch& batch, Predictions& answer) = 0;
  virtual Status predict_checked(const Batch& batch, Predictions& answer) const = 0;
  // Called only if takes_labels() is true. There are as many labels as ids or rows, and all are classes.
  virtual Observed observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels);
  virtual Result<Observed> observe_checked(const Batch& batch, std::span<const std::int64_t> labels,
                                           LabelSampling sampling);
  virtual std::vector<Tensor> save() const = 0;
  virtual Status load(const AdapterState& state) = 0;
  // N x D: input of the last layer of the source. Called for methods whose rows are not features themselves.
  virtual Result<Matrix> source_features(MatrixView rows) const;

  SourceModel source_;
  bool reports_source_ = false;

  friend class MonitoredAdapter;  ///< decorates another adapter and calls its checked functions
};

}  // namespace stad
