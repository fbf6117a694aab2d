#pragma once

#include <vector>

#include <prometheus/metric_family.h>

namespace stad::server {

/// Processor time, memory and open files of this process, by the names that clients of Prometheus use.
std::vector<prometheus::MetricFamily> process_metrics();

}  // namespace stad::server
