#include "server/service/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <stad/version.hpp>

#include "server/service/process_metrics.hpp"

namespace stad::server {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;

constexpr double kAveragedRows = 10'000;  // time constant of the moving means of a model

Histogram::BucketBoundaries seconds_buckets() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10};
}

Family<Gauge>& gauges(Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}
Family<Counter>& counters(Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}
Family<Histogram>& histograms(Registry& registry, const char* name, const char* help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

/// The mean over all rows up to kAveragedRows, so that the first batch weighs no more than its rows, and an exponential
/// moving mean of that time constant afterwards. NaN without rows.
class MovingMean {
 public:
  explicit MovingMean(Gauge& gauge) : gauge_(&gauge) { gauge.Set(std::nan("")); }

  void add(double sum, double rows) {
    if (rows == 0) return;
    rows_ = std::min(rows_ + rows, std::max(kAveragedRows, rows));
    mean_ += (sum / rows - mean_) * rows / rows_;
    gauge_->Set(mean_);
  }
  Gauge* gauge() const { return gauge_; }

 private:
  Gauge* gauge_;
  double mean_ = 0;
  double rows_ = 0;
};

struct ModelMetrics {
  Counter* rows;
  Counter* steps;
  Histogram* step_seconds;
  Gauge* resident;
  Gauge* kept;
  Gauge* damaged;
  MovingMean confidence;
  MovingMean entropy;
  MovingMean shift;
  MovingMean dispersion;
  MovingMean flip_rate;
  MovingMean chains;
  Gauge* warning = nullptr;  ///< null: none
};

}  // namespace

struct Metrics::Families {
  Registry registry;
  Family<Histogram>& request_seconds =
      histograms(registry, "stad_request_seconds", "Time from a request's first byte to its answer");
  Family<Counter>& requests = counters(registry, "stad_requests_total", "Requests answered, by route and status");
  Family<Histogram>& step_seconds = histograms(registry, "stad_adapt_seconds", "Time of an adaptation step");
  Family<Counter>& steps = counters(registry, "stad_adapt_steps_total", "Adaptation steps");
  Family<Counter>& rows = counters(registry, "stad_adapt_rows_total", "Rows adapted to");
  Family<Gauge>& streams = gauges(registry, "stad_streams", "Streams in memory and kept on disk");
  Family<Gauge>& damaged_streams =
      gauges(registry, "stad_damaged_streams", "Streams whose stored state cannot be read");
  Family<Gauge>& drift_shift =
      gauges(registry, "stad_prototype_shift_radians", "Mean angle between prototypes and their source directions");
  Family<Gauge>& drift_dispersion = gauges(registry, "stad_prototype_dispersion_radians",
                                           "Mean angle between two prototypes; near 0 they have collapsed");
  Family<Gauge>& drift_flips = gauges(registry, "stad_flip_ratio", "Share of answers that differ from the source's");
  Family<Gauge>& drift_entropy = gauges(registry, "stad_entropy_nats", "Mean entropy of the answers");
  Family<Gauge>& drift_confidence = gauges(registry, "stad_confidence_ratio", "Mean probability of the answers");
  Family<Gauge>& drift_chains =
      gauges(registry, "stad_chains_answer", "Share of rows that label chains answered; 0: the source answers all");
  Family<Gauge>& warnings = gauges(registry, "stad_warning_level",
                                   "Loss of the source's accuracy, worst of the streams in memory: 0 fine, 1 "
                                   "watch, 2 act");
  Gauge& unsaved =
      gauges(registry, "stad_checkpoint_age_seconds", "Age of the oldest change that is not on disk").Add({});
  Gauge& ready = gauges(registry, "stad_ready", "1: ready for requests, as /readyz; 0: not").Add({});
  Gauge& connections = gauges(registry, "stad_connections", "Open connections").Add({});
  Gauge& failed_commits =
      gauges(registry, "stad_failed_commits", "Transactions of the database that failed since the start").Add({});

  std::mutex mutex;
  std::map<std::string, ModelMetrics, std::less<>> models;
  std::map<std::pair<std::string, int>, std::pair<Counter*, Histogram*>, std::less<>> routes;

  ModelMetrics of_model(const std::string& name) {
    const prometheus::Labels label{{"model", name}};
    const auto mean = [&](Family<Gauge>& family) { return MovingMean(family.Add(label)); };
    return {.rows = &rows.Add(label),
            .steps = &steps.Add(label),
            .step_seconds = &step_seconds.Add(label, seconds_buckets()),
            .resident = &streams.Add({{"model", name}, {"place", "memory"}}),
            .kept = &streams.Add({{"model", name}, {"place", "disk"}}),
            .damaged = &damaged_streams.Add(label),
            .confidence = mean(drift_confidence),
            .entropy = mean(drift_entropy),
            .shift = mean(drift_shift),
            .dispersion = mean(drift_dispersion),
            .flip_rate = mean(drift_flips),
            .chains = mean(drift_chains)};
  }

  /// Calls `use` under the lock, so that the metrics are not removed meanwhile.
  template <typename Use>
  void with_model(const std::string& name, Use use) {
    const std::scoped_lock lock(mutex);
    if (const auto found = models.find(name); found != models.end()) use(found->second);
  }

  std::pair<Counter*, Histogram*> route(std::string_view name, int status) {
    const std::scoped_lock lock(mutex);
    const auto place = routes.find(std::pair<std::string, int>(name, status));
    if (place != routes.end()) return place->second;
    const std::string text(name);
    const std::pair made{&requests.Add({{"route", text}, {"status", std::to_string(status)}}),
                         &request_seconds.Add({{"route", text}}, seconds_buckets())};
    routes.emplace(std::pair(text, status), made);
    return made;
  }
};

Metrics::Metrics() : families_(std::make_unique<Families>()) {
  gauges(families_->registry, "stad_build_info", "1; the label is the version").Add({{"version", kVersion}}).Set(1);
}
Metrics::~Metrics() = default;

void Metrics::count_request(std::string_view route, int status, double seconds) {
  const auto [count, time] = families_->route(route, status);
  count->Increment();
  time->Observe(seconds);
}

void Metrics::count_step(const std::string& model, const StepSums& step) {
  families_->with_model(model, [&](ModelMetrics& metrics) {
    metrics.steps->Increment();
    metrics.rows->Increment(step.rows);
    metrics.step_seconds->Observe(step.seconds);
    metrics.confidence.add(step.confidence, step.rows);
    metrics.entropy.add(step.entropy, step.rows);
    metrics.flip_rate.add(step.flipped, step.compared);
    if (step.chain_rows) metrics.chains.add(*step.chain_rows, step.rows);
  });
}

void Metrics::update_geometry(const std::string& model, const PrototypeGeometry& geometry) {
  families_->with_model(model, [&](ModelMetrics& metrics) {
    if (geometry.shift) metrics.shift.add(*geometry.shift * geometry.rows, geometry.rows);
    if (geometry.dispersion) metrics.dispersion.add(*geometry.dispersion * geometry.rows, geometry.rows);
  });
}

void Metrics::set_streams(const std::string& model, std::int64_t resident, std::int64_t kept) {
  families_->with_model(model, [&](const ModelMetrics& metrics) {
    metrics.resident->Set(static_cast<double>(resident));
    metrics.kept->Set(static_cast<double>(kept));
  });
}

void Metrics::set_damaged(const std::string& model, std::int64_t streams) {
  families_->with_model(model,
                        [&](const ModelMetrics& metrics) { metrics.damaged->Set(static_cast<double>(streams)); });
}

void Metrics::set_warning(const std::string& model, std::optional<Warning> warning) {
  families_->with_model(model, [&](ModelMetrics& metrics) {
    Family<Gauge>& family = families_->warnings;
    if (!warning) {
      if (metrics.warning) family.Remove(std::exchange(metrics.warning, nullptr));
      return;
    }
    if (!metrics.warning) metrics.warning = &family.Add({{"model", model}});
    metrics.warning->Set(static_cast<double>(*warning));
  });
}

void Metrics::set_ready(bool is_ready) { families_->ready.Set(is_ready ? 1 : 0); }
void Metrics::set_unsaved_age(double seconds) { families_->unsaved.Set(seconds); }
void Metrics::set_failed_commits(std::int64_t count) { families_->failed_commits.Set(static_cast<double>(count)); }
void Metrics::set_connections(std::int64_t open) { families_->connections.Set(static_cast<double>(open)); }

void Metrics::add_model(const std::string& model) {
  const std::scoped_lock lock(families_->mutex);
  families_->models.try_emplace(model, families_->of_model(model));
}

void Metrics::remove_model(const std::string& model) {
  Families& all = *families_;
  const std::scoped_lock lock(all.mutex);
  const auto found = all.models.find(model);
  if (found == all.models.end()) return;
  const ModelMetrics& metrics = found->second;
  all.rows.Remove(metrics.rows);
  all.steps.Remove(metrics.steps);
  all.step_seconds.Remove(metrics.step_seconds);
  all.streams.Remove(metrics.resident);
  all.streams.Remove(metrics.kept);
  all.damaged_streams.Remove(metrics.damaged);
  all.drift_confidence.Remove(metrics.confidence.gauge());
  all.drift_entropy.Remove(metrics.entropy.gauge());
  all.drift_shift.Remove(metrics.shift.gauge());
  all.drift_dispersion.Remove(metrics.dispersion.gauge());
  all.drift_flips.Remove(metrics.flip_rate.gauge());
  all.drift_chains.Remove(metrics.chains.gauge());
  if (metrics.warning) all.warnings.Remove(metrics.warning);
  all.models.erase(found);
}

std::string Metrics::text() const {
  std::ostringstream out;
  std::vector<prometheus::MetricFamily> all = families_->registry.Collect();
  std::ranges::move(process_metrics(), std::back_inserter(all));
  prometheus::TextSerializer().Serialize(out, all);
  return out.str();
}

}  // namespace stad::server
