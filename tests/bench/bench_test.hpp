#pragma once

#include <string>

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>
#include <stad/files.hpp>

#include "bench/run/run_all.hpp"
#include "cli/command.hpp"
#include "support/temporary_directory.hpp"

namespace stad::testing {

/// A directory with two small streams, network0.npz and network1.npz, and the experiments a test writes there.
class BenchTest : public ::testing::Test {
 protected:
  BenchTest() {
    for (const int network : {0, 1}) {
      const auto made = *simulate({.steps = 4,
                                   .samples_per_step = 60,
                                   .classes = 3,
                                   .dimension = 8,
                                   .seed = static_cast<std::uint64_t>(network)});
      const auto written = write_stream(path("network" + std::to_string(network) + ".npz"), made.stream, &made.source);
      EXPECT_TRUE(written) << written.error().message;
    }
  }

  std::string path(const std::string& name) const { return directory.path() + "/" + name; }

  cli::bench::Experiment experiment(const std::string& text, const std::string& name = "experiment.toml") const {
    EXPECT_TRUE(write_text(path(name), text));
    return cli::bench::read_experiment(path(name));
  }

  /// The error message of `work`, without the directory.
  template <typename Work>
  std::string error_message(const Work& work) const {
    try {
      work();
    } catch (const AppError& failure) {
      std::string message = failure.error.message;
      for (auto at = message.find(directory.path()); at != message.npos; at = message.find(directory.path()))
        message.erase(at, directory.path().size() + 1);
      return message;
    }
    return "";
  }

  /// Two networks, two settings and the source model: the start of most experiments.
  static std::string start() {
    return R"(
[[streams]]
name = "simulated"
files = ["network0.npz", "network1.npz"]
[[settings]]
name = "mixed"
batch_size = 20
[[settings]]
name = "sorted"
order = "sorted"
batch_size = 20
seeds = [0, 1]
[[methods]]
name = "source"
)";
  }

  TemporaryDirectory directory;
};

}  // namespace stad::testing
