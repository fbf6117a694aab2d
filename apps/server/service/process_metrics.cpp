#include "server/service/process_metrics.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace stad::server {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

MetricFamily family_of(const char* name, const char* help, MetricType type, double value) {
  prometheus::ClientMetric metric;
  metric.counter.value = metric.gauge.value = value;
  return {name, help, type, {metric}};
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

struct Memory {
  double total = 0, resident = 0;  ///< bytes
};

Memory memory() {
  Memory pages;
  std::ifstream("/proc/self/statm") >> pages.total >> pages.resident;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return {pages.total * page, pages.resident * page};
}

double open_files() {
  std::error_code unknown;
  const std::filesystem::directory_iterator files("/proc/self/fd", unknown);
  return unknown ? 0 : static_cast<double>(std::distance(begin(files), end(files)));
}

double most_files() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<double>(limit.rlim_cur);
}

/// Seconds since the epoch when the program was loaded.
const double kStarted = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();

}  // namespace

std::vector<MetricFamily> process_metrics() {
  const Memory used = memory();
  const auto gauge = [](const char* name, const char* help, double value) {
    return family_of(name, help, MetricType::Gauge, value);
  };
  return {family_of("process_cpu_seconds_total", "Processor time in seconds", MetricType::Counter, processor_seconds()),
          gauge("process_resident_memory_bytes", "Memory in use", used.resident),
          gauge("process_virtual_memory_bytes", "Address space", used.total),
          gauge("process_open_fds", "Open files and sockets", open_files()),
          gauge("process_max_fds", "Limit of open files and sockets", most_files()),
          gauge("process_start_time_seconds", "Start of the process, seconds since the epoch", kStarted)};
}

}  // namespace stad::server
