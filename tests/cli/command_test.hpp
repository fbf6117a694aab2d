#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/places.hpp"
#include "support/run_command.hpp"
#include "support/temporary_directory.hpp"

namespace stad::testing {

/// Runs the built command in a temporary directory.
class CommandTest : public ::testing::Test {
 protected:
  CommandResult stad(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.begin(), kCommand);
    return run_command(arguments, input, directory.path());
  }

  /// Runs the command with --json, expects success and parses its output.
  nlohmann::json json(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.push_back("--json");
    const auto result = stad(arguments, input);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false);
  }

  /// A small stream with its head.
  void simulate(const std::string& name, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"simulate", "--out",     name, "--steps",     "6", "--samples",
                                       "100",      "--classes", "3",  "--dimension", "8"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = stad(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  /// Expects exit code 2, one line of error that contains every piece, and no output file.
  void expect_rejected(const std::vector<std::string>& arguments, const std::vector<std::string>& pieces,
                       const std::string& input = "") const {
    const std::size_t files = directory.files();
    const auto result = stad(arguments, input);
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.rfind("stad: ", 0), 0U) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
    for (const auto& piece : pieces)
      EXPECT_NE(result.err.find(piece), std::string::npos) << piece << " in " << result.err;
    EXPECT_EQ(directory.files(), files);
  }

  TemporaryDirectory directory;
};

}  // namespace stad::testing
