#include "speed/settings_rules.hpp"

#include <gtest/gtest.h>

namespace stad::speed {
namespace {

/// The complaint, or nothing where the settings keep every rule.
std::string complaint_about(const SpeedSettings& settings) {
  const auto status = check_settings(settings);
  return status ? "" : status.error().message;
}

void expect_complaint(const SpeedSettings& settings, const std::vector<std::string>& pieces) {
  const auto message = complaint_about(settings);
  for (const auto& piece : pieces) EXPECT_NE(message.find(piece), std::string::npos) << piece << " in " << message;
}

TEST(SpeedSettingsRules, AcceptTheDefaults) { EXPECT_EQ(complaint_about({}), ""); }

TEST(SpeedSettingsRules, NameTheFieldTheValueAndTheRule) {
  expect_complaint({.options = {}, .samples = 0}, {"samples = 0", "must be", "from 1"});
  expect_complaint({.options = {}, .dimension = 1}, {"dim = 1", "from 2"});
  expect_complaint({.options = {}, .classes = 1}, {"classes = 1", "from 2"});
  expect_complaint({.options = {}, .steps = 0}, {"steps = 0", "from 1"});
}

TEST(SpeedSettingsRules, ListTheMethodsForOneThatIsUnknown) {
  expect_complaint({.method = "magic", .options = {}}, {"unknown method magic", "stad-vmf", "stad-gauss", "lame"});
}

TEST(SpeedSettingsRules, RefuseMethodsThatNeedANetwork) {
  expect_complaint({.method = "tent", .options = {}}, {"tent", "network", "on embeddings", "stad-vmf"});
}

TEST(SpeedSettingsRules, RefuseWhatDoesNotFitIntoMemory) {
  expect_complaint({.options = {}, .samples = 100'000, .dimension = 65'536}, {"GB", "samples = 100000"});
  expect_complaint({.method = "stad-gauss", .options = {}, .dimension = 1024, .classes = 1000}, {"GB", "stad-gauss"});
}

}  // namespace
}  // namespace stad::speed
