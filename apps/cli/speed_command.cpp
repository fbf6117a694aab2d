#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/eval/speed.hpp>
#include <stad/threads.hpp>
#include <stad/version.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "common/json_text.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct SpeedRequest {
  SpeedSettings settings;
  std::vector<std::string> options;  // as written: key=value
  int threads = available_threads();
  bool json = false;
};

/// Three significant digits with a unit; seconds from 10 s on.
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

std::string speed_line(const char* name, const std::string& value, const std::string& remark = "") {
  const auto text = fmt::format("{:<30}{:>10}", name, value);
  return remark.empty() ? text + "\n" : text + "   " + remark + "\n";
}

/// The median as a multiple of a lower bound measured on this machine.
std::string multiple_text(double median_ms, double limit_ms) {
  const double times = median_ms / limit_ms;
  return fmt::format("a batch takes {:.{}f} times that", times, times < 10 ? 2 : times < 100 ? 1 : 0);
}

std::string verification_text(const SpeedVerification& verified) {
  return fmt::format(
      "Checked {} batches of {} against the reference implementation: probabilities within {:.1e}, "
      "prototypes within {:.1e}\n",
      verified.batches, shape_text(verified.samples, verified.dimension, verified.classes), verified.largest_difference,
      verified.largest_prototype_difference);
}

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
         (options.empty() ? "" : "Options:" + options + "\n") + verification_text(report.verified) + "\n" +
         speed_line("median", duration_text(report.median_ms), fmt::format("a batch, of {} timed", report.steps)) +
         speed_line("90th percentile", duration_text(report.p90_ms)) +
         speed_line("a sample", duration_text(report.ns_per_sample() / 1e6)) +
         speed_line("state", bytes_text(report.state_bytes)) + "\nLower bounds of this machine for the same shape\n" +
         speed_line("products of one E-step", duration_text(report.products_ms),
                    multiple_text(report.median_ms, report.products_ms)) +
         speed_line("one pass over the prototypes", duration_text(report.pass_ms),
                    multiple_text(report.median_ms, report.pass_ms) +
                        fmt::format(" ({:.3g} GB/s)", report.pass_gb_per_second()));
}

void measure(SpeedRequest request) {
  request.settings.options = split_options(request.options);
  set_threads(request.threads);
  const SpeedReport report = need(measure_speed(request.settings));
  write_output(request.json ? speed_json(report) : speed_text(report));
}

}  // namespace

Command add_speed_command(CLI::App& app) {
  auto request = std::make_shared<SpeedRequest>();
  auto& settings = request->settings;
  auto* command =
      app.add_subcommand("speed", "Verify a method on this machine against the reference implementation, then time it");
  command->add_option("--method", settings.method, "A method for embeddings; see stad methods")->capture_default_str();
  add_method_option(*command, request->options);
  command->add_option("--samples", settings.samples, "Rows per batch")->capture_default_str();
  command->add_option("--dim", settings.dimension, "Dimensions")->capture_default_str();
  command->add_option("--classes", settings.classes, "Classes")->capture_default_str();
  command->add_option("--steps", settings.steps,
                      "Number of timed batches (default: about 2 seconds, from 20 to 1000 batches)");
  add_thread_option(*command, request->threads);
  add_seed_option(*command, settings.seed, "Seed of the stream");
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer("Example: stad speed --method stad-vmf --samples 64 --dim 2048 --classes 1000 --threads 1");
  return {command, [request] { measure(*request); }};
}

}  // namespace stad::cli
