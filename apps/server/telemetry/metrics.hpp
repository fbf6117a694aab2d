#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace stad::server {

/// How a model drifts, over its streams of late. Angles in radians.
struct DriftFigures {
  double rows = 0;  ///< what the figures are worth beside those before
  double confidence = 0;
  double entropy = 0;  ///< nats
  std::optional<double> prototype_shift;
  std::optional<double> dispersion;
  std::optional<double> flip_rate;
  std::optional<double> estimated_accuracy;
};

/// What Prometheus is told. Labels are models and routes, never streams: there may be millions. Any thread.
class Metrics {
 public:
  Metrics();
  ~Metrics();

  void count_request(std::string_view route, int status, double seconds);

  /// From here on there are figures of the model. What is told of one that is not known is not counted: it comes from
  /// the last requests of a model that was removed.
  void know_model(const std::string& model);
  void forget_model(const std::string& model);
  /// A step of a model, gathered from one or more requests.
  void count_step(const std::string& model, std::int64_t rows, double seconds);
  void tell_drift(const std::string& model, const DriftFigures& figures);
  void tell_streams(const std::string& model, std::int64_t resident, std::int64_t kept);

  void tell_unsaved_age(double seconds);
  void tell_connections(std::int64_t open);

  /// The text format of Prometheus.
  std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace stad::server
