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

/// What became of labels that came after their rows.
struct Observed {
  Index used = 0;
  Index forgotten = 0;  ///< of rows of which nothing is remembered: they came without an id, or too long ago
};

/// A classifier that keeps itself fresh. One adapter follows one stream; different adapters may run in different
/// threads. The same batches in the same order give the same bits.
class STAD_API Adapter {
 public:
  virtual ~Adapter();

  virtual std::string_view method() const = 0;
  virtual std::vector<OptionSetting> options() const = 0;
  const SourceModel& source() const { return source_; }
  /// Values a row of a batch has: D of the source's features, or those of an image where the method has the network.
  virtual Index input_dimension() const { return source_.dimension(); }

  /// Learns from the batch and answers it. A batch that breaks a rule (no rows, another dimension, a value or a
  /// time that is not finite) is refused whole and changes nothing.
  Result<Predictions> adapt(const Batch& batch);
  /// The same into an answer whose memory is used again: a loop over batches of one size allocates nothing.
  Status adapt(const Batch& batch, Predictions& answer);

  /// Answers the batch as the method stands, without learning from it.
  Result<Predictions> predict(const Batch& batch) const;
  Status predict(const Batch& batch, Predictions& answer) const;

  /// Whether labels that come late are of use to the method; observe() is refused where they are not.
  virtual bool takes_labels() const { return false; }

  /// Learns the true classes of rows that were adapted to, by the ids they came with. Labels are classes, 0 to K - 1;
  /// if one of them breaks a rule all are refused and nothing changes. The same label for the same row counts once.
  Result<Observed> observe(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels);
  /// Learns from labelled rows that come with their features, whether the method has met them or not. Nobody remembers
  /// having seen them: rows given twice count twice.
  Result<Observed> observe(const Batch& batch, std::span<const std::int64_t> labels);

  /// Everything the method remembers.
  AdapterState state() const;

  /// Continues where the state was taken, bit for bit. A state of another method, head or option is refused and
  /// changes nothing.
  Status restore(const AdapterState& state);

  /// K x D: the rows that stand in the place of the last layer's weights now.
  virtual Matrix prototypes() const = 0;

  /// Sets how much health monitoring adds to answers, and resets its counts, which are not part of the state. Adapters
  /// made by make_adapter() start at kBasic.
  virtual void watch(HealthLevel) {}
  /// How the method guards itself, where it does.
  virtual std::optional<Guard> guard() const { return std::nullopt; }
  /// How the classifier stands, apart from any batch: its guard, dispersion and movement.
  Health health() const;

 protected:
  explicit Adapter(SourceModel source);

 private:
  // The batch keeps the rules that adapt() and predict() check. Every field of the answer is written.
  virtual Status adapt_checked(const Batch& batch, Predictions& answer) = 0;
  virtual Status predict_checked(const Batch& batch, Predictions& answer) const = 0;
  // Called where takes_labels() says so. There are as many labels as ids or rows, all of them classes.
  virtual Observed observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels);
  virtual Result<Observed> observe_checked(const Batch& batch, std::span<const std::int64_t> labels);
  virtual std::vector<Tensor> save() const = 0;
  virtual Status load(const AdapterState& state) = 0;
  // N x D: what the source's last layer saw of the batch. Asked of methods whose rows are not features themselves.
  virtual Result<Matrix> source_features(MatrixView rows) const;

  SourceModel source_;

  friend class MonitoredAdapter;  ///< decorates another adapter and calls its checked functions
};

}  // namespace stad
