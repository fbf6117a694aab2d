#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <stad/predictions.hpp>

namespace stad::server {

/// Drift of a model, of one point of one of its streams. Angles in radians.
struct DriftSummary {
  double rows = 0;  ///< weight in the moving averages
  double confidence = 0;
  double entropy = 0;  ///< nats
  std::optional<double> prototype_shift;
  std::optional<double> dispersion;
  std::optional<double> flip_rate;
  std::optional<double> chains;  ///< share of the rows that label chains answered
};

/// The metrics for Prometheus. Labels are models and routes, never streams, of which there may be millions.
/// Thread-safe.
class Metrics {
 public:
  Metrics();
  ~Metrics();

  void count_request(std::string_view route, int status, double seconds);

  /// Registers the metrics of a model. Calls for models that are not registered have no effect: they come from the last
  /// requests of a removed model.
  void add_model(const std::string& model);
  void remove_model(const std::string& model);
  /// Counts an adaptation step, of one or more requests.
  void count_step(const std::string& model, std::int64_t rows, double seconds);
  void update_drift(const std::string& model, const DriftSummary& drift);
  void set_streams(const std::string& model, std::int64_t resident, std::int64_t kept);
  /// Streams whose stored state cannot be read.
  void set_damaged(const std::string& model, std::int64_t streams);
  /// None removes the metric.
  void set_warning(const std::string& model, std::optional<Warning> warning);

  void set_ready(bool is_ready);
  void set_unsaved_age(double seconds);
  void set_connections(std::int64_t open);

  /// In the text format of Prometheus.
  std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace stad::server
