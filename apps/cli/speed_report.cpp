#include "cli/speed_report.hpp"

#include <fmt/format.h>

#include <stad/version.hpp>

#include "common/json_text.hpp"

namespace stad::cli {
namespace {

/// Three digits that mean something, in the unit a person would choose.
std::string duration_text(double milliseconds) {
  if (milliseconds >= 1e4) return fmt::format("{:.3g} s", milliseconds / 1e3);
  if (milliseconds >= 999.5) return fmt::format("{:.0f} ms", milliseconds);
  if (milliseconds >= 1) return fmt::format("{:.3g} ms", milliseconds);
  if (milliseconds >= 1e-3) return fmt::format("{:.3g} us", milliseconds * 1e3);
  return fmt::format("{:.3g} ns", milliseconds * 1e6);
}

std::string bytes_text(std::int64_t bytes) {
  const auto count = static_cast<double>(bytes);
  if (count >= 1e9) return fmt::format("{:.2f} GB", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.2f} MB", count / 1e6);
  if (count >= 1e3) return fmt::format("{:.2f} kB", count / 1e3);
  return fmt::format("{} bytes", bytes);
}

std::string shape_text(Index samples, Index dimension, Index classes) {
  return fmt::format("{} x {} x {}", samples, dimension, classes);
}

std::string line(const char* name, const std::string& value, const std::string& remark = "") {
  const auto text = fmt::format("{:<30}{:>10}", name, value);
  return remark.empty() ? text + "\n" : text + "   " + remark + "\n";
}

/// How the median compares with what the machine can do.
std::string multiple_text(double median_ms, double limit_ms) {
  const double times = median_ms / limit_ms;
  return fmt::format("a batch takes {:.{}f} times that", times, times < 10 ? 2 : times < 100 ? 1 : 0);
}

std::string checked_text(const SpeedVerification& verified) {
  return fmt::format(
      "Checked {} batches of {} against the plain implementation: probabilities within {:.1e}, "
      "prototypes within {:.1e}\n",
      verified.batches, shape_text(verified.samples, verified.dimension, verified.classes), verified.largest_difference,
      verified.largest_prototype_difference);
}

}  // namespace

std::string speed_json(const SpeedReport& report) {
  const auto& verified = report.verified;
  return json_text({{"method", report.method},
                    {"options", options_json(report.options)},
                    {"samples", report.samples},
                    {"dim", report.dimension},
                    {"classes", report.classes},
                    {"steps", report.steps},
                    {"threads", report.threads},
                    {"median_ms", report.median_ms},
                    {"p90_ms", report.p90_ms},
                    {"ns_per_sample", report.ns_per_sample()},
                    {"state_bytes", report.state_bytes},
                    {"floor_ms", report.floor_ms()},
                    {"products_ms", report.products_ms},
                    {"pass_ms", report.pass_ms},
                    {"pass_gb_s", report.pass_gb_per_second()},
                    {"verified",
                     {{"samples", verified.samples},
                      {"dim", verified.dimension},
                      {"classes", verified.classes},
                      {"batches", verified.batches},
                      {"largest_difference", verified.largest_difference},
                      {"largest_prototype_difference", verified.largest_prototype_difference}}},
                    {"version", kVersion}}) +
         "\n";
}

std::string speed_text(const SpeedReport& report) {
  std::string options;
  for (const auto& option : report.options) options += fmt::format(" {}={}", option.name, option.value);
  return fmt::format("{}, {} (samples x dimensions x classes), {} thread{}\n", report.method,
                     shape_text(report.samples, report.dimension, report.classes), report.threads,
                     report.threads == 1 ? "" : "s") +
         (options.empty() ? "" : "Options:" + options + "\n") + checked_text(report.verified) + "\n" +
         line("median", duration_text(report.median_ms), fmt::format("a batch, of {} timed", report.steps)) +
         line("90th percentile", duration_text(report.p90_ms)) +
         line("a sample", duration_text(report.ns_per_sample() / 1e6)) + line("state", bytes_text(report.state_bytes)) +
         "\nWhat this machine needs for the same shape, at least\n" +
         line("products of one E-step", duration_text(report.products_ms),
              multiple_text(report.median_ms, report.products_ms)) +
         line("one pass over the prototypes", duration_text(report.pass_ms),
              multiple_text(report.median_ms, report.pass_ms) +
                  fmt::format(" ({:.3g} GB/s)", report.pass_gb_per_second()));
}

}  // namespace stad::cli
