#include "cluster/working/metrics_page.hpp"

#include <utility>

#include <fmt/format.h>
#include <prometheus/client_metric.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/metric_family.h>

#include "server/refusal.hpp"

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

/// Reads the figures when it is asked.
class Reader : public prometheus::Collectable {
 public:
  explicit Reader(const Worker& worker) : worker_(worker) {}

  std::vector<MetricFamily> Collect() const override {
    const Figures& figures = worker_.figures();
    const auto counter = [](const char* name, const char* help, std::uint64_t value) {
      return family_of(name, help, MetricType::Counter, static_cast<double>(value));
    };
    const auto gauge = [](const char* name, const char* help, double value) {
      return family_of(name, help, MetricType::Gauge, value);
    };
    return {
        counter("stad_worker_batches_total", "Messages answered", figures.batches),
        counter("stad_worker_rows_total", "Rows of them", figures.rows),
        counter("stad_worker_dead_total", "Messages that could not be answered and went to stad.dead", figures.dead),
        counter("stad_worker_redelivered_total", "Messages that the servers sent again", figures.redelivered),
        counter("stad_worker_repeated_total", "Messages that had been learned from before", figures.repeated),
        counter("stad_worker_takeovers_total", "Partitions taken from owners that had fallen silent",
                figures.takeovers),
        counter("stad_worker_fenced_total", "Writes given up or refused because another owns the partition",
                figures.fenced),
        counter("stad_worker_restarts_total", "Partitions begun again from what was committed", figures.restarts),
        counter("stad_worker_rebuilt_total", "States rebuilt from a snapshot and the log", figures.rebuilt),
        counter("stad_worker_commits_total", "Commits of a partition", figures.commits),
        gauge("stad_worker_lag", "Messages that wait for the partitions of this worker", double(worker_.waiting())),
        gauge("stad_worker_partitions", "Partitions owned", double(worker_.owned())),
        gauge("stad_worker_streams", "Streams in memory", double(figures.resident_streams)),
    };
  }

 private:
  const Worker& worker_;
};

}  // namespace

struct MetricsPage::Parts {
  Parts(const std::string& address, const Worker& worker)
      : exposer(address, 1), reader(std::make_shared<Reader>(worker)) {
    exposer.RegisterCollectable(reader);
  }
  prometheus::Exposer exposer;
  std::shared_ptr<Reader> reader;
};

MetricsPage::MetricsPage(const std::string& address, const Worker& worker) {
  try {
    parts_ = std::make_unique<Parts>(address, worker);
  } catch (const std::exception& error) {
    server::refuse(400, fmt::format("metrics is '{}', cannot be listened to: {}", address, error.what()));
  }
}

MetricsPage::~MetricsPage() = default;

}  // namespace stad::cluster
