#include "cluster/metrics_endpoint.hpp"

#include <utility>

#include <fmt/format.h>
#include <prometheus/client_metric.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/metric_family.h>

#include "common/error.hpp"

namespace stad::cluster {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

MetricFamily family_of(const char* name, const char* help, MetricType type, double value) {
  ClientMetric metric;
  metric.counter.value = metric.gauge.value = value;
  return {name, help, type, {metric}};
}

/// Reads the counters of the worker when Prometheus scrapes.
class CounterCollector : public prometheus::Collectable {
 public:
  explicit CounterCollector(const Worker& worker) : worker_(worker) {}

  std::vector<MetricFamily> Collect() const override {
    const WorkerCounters& counters = worker_.counters();
    const auto counter = [](const char* name, const char* help, std::uint64_t value) {
      return family_of(name, help, MetricType::Counter, static_cast<double>(value));
    };
    const auto gauge = [](const char* name, const char* help, double value) {
      return family_of(name, help, MetricType::Gauge, value);
    };
    return {
        counter("stad_worker_batches_total", "Messages answered", counters.batches),
        counter("stad_worker_rows_total", "Rows of them", counters.rows),
        counter("stad_worker_dead_total", "Messages that could not be answered and went to stad.dead", counters.dead),
        counter("stad_worker_redelivered_total", "Messages that the servers sent again", counters.redelivered),
        counter("stad_worker_repeated_total", "Messages that had been learned from before", counters.repeated),
        counter("stad_worker_takeovers_total", "Partitions taken from owners that had fallen silent",
                counters.takeovers),
        counter("stad_worker_fenced_total", "Writes rejected because another worker owns the partition",
                counters.fenced),
        counter("stad_worker_restarts_total", "Partitions begun again from what was committed", counters.restarts),
        counter("stad_worker_rebuilt_total", "States rebuilt from a snapshot and the log", counters.rebuilt),
        counter("stad_worker_commits_total", "Commits of a partition", counters.commits),
        gauge("stad_worker_lag", "Messages that wait for the partitions of this worker", double(worker_.waiting())),
        gauge("stad_worker_partitions", "Partitions owned", double(worker_.owned())),
        gauge("stad_worker_streams", "Streams in memory", double(counters.resident_streams)),
    };
  }

 private:
  const Worker& worker_;
};

}  // namespace

struct MetricsEndpoint::Parts {
  Parts(const std::string& address, const Worker& worker)
      : exposer(address, 1), collector(std::make_shared<CounterCollector>(worker)) {
    exposer.RegisterCollectable(collector);
  }
  prometheus::Exposer exposer;
  std::shared_ptr<prometheus::Collectable> collector;
};

MetricsEndpoint::MetricsEndpoint(const std::string& address, const Worker& worker) {
  try {
    parts_ = std::make_unique<Parts>(address, worker);
  } catch (const std::exception& error) {
    reject(400, fmt::format("metrics is '{}', cannot listen: {}", address, error.what()));
  }
}

MetricsEndpoint::~MetricsEndpoint() = default;

}  // namespace stad::cluster
