#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <stad/predictions.hpp>

namespace stad::server {

/// Figures of an adaptation step: sums over its rows.
struct StepSums {
  double rows = 0;
  double seconds = 0;  ///< of the whole step
  double confidence = 0;
  double entropy = 0;                ///< nats
  double compared = 0;               ///< rows that the source predicted as well
  double flipped = 0;                ///< of them, rows whose labels differ
  std::optional<double> chain_rows;  ///< rows that label chains answered; none: the method has no chains
};

/// Geometry of the prototypes of a stream at a point of its history. Angles in radians.
struct PrototypeGeometry {
  double rows = 0;  ///< of the point
  std::optional<double> shift;
  std::optional<double> dispersion;
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
  /// Counts an adaptation step, of one or more requests. Figures of a model are means over all rows up to 10,000, and
  /// over approximately the last 10,000 afterwards.
  void count_step(const std::string& model, const StepSums& step);
  void update_geometry(const std::string& model, const PrototypeGeometry& geometry);
  void set_streams(const std::string& model, std::int64_t resident, std::int64_t kept);
  /// Streams whose stored state cannot be read.
  void set_damaged(const std::string& model, std::int64_t streams);
  /// None removes the metric.
  void set_warning(const std::string& model, std::optional<Warning> warning);

  void set_ready(bool is_ready);
  void set_unsaved_age(double seconds);
  void set_connections(std::int64_t open);
  /// Of the database, since the start.
  void set_failed_commits(std::int64_t count);

  /// In the text format of Prometheus.
  std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace stad::server
