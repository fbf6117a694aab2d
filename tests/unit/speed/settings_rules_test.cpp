#include "speed/verify.hpp"

#include <gtest/gtest.h>

namespace stad::speed {
namespace {

/// The error, or empty text if the settings are valid.
std::string settings_error(const SpeedSettings& settings) {
  const auto status = check_speed_settings(settings);
  return status ? "" : status.error().message;
}

void expect_settings_error(const SpeedSettings& settings, const std::vector<std::string>& pieces) {
  const auto message = settings_error(settings);
  for (const auto& piece : pieces) EXPECT_NE(message.find(piece), std::string::npos) << piece << " in " << message;
}

TEST(SpeedSettingsRules, AcceptTheDefaults) { EXPECT_EQ(settings_error({}), ""); }

TEST(SpeedSettingsRules, NameTheFieldTheValueAndTheRule) {
  expect_settings_error({.options = {}, .samples = 0}, {"samples = 0", "must be", "from 1"});
  expect_settings_error({.options = {}, .dimension = 1}, {"dim = 1", "from 2"});
  expect_settings_error({.options = {}, .classes = 1}, {"classes = 1", "from 2"});
  expect_settings_error({.options = {}, .steps = 0}, {"steps = 0", "from 1"});
}

TEST(SpeedSettingsRules, ListTheMethodsForOneThatIsUnknown) {
  expect_settings_error({.method = "magic", .options = {}}, {"unknown method magic", "stad-vmf", "stad-gauss", "lame"});
}

TEST(SpeedSettingsRules, RefuseMethodsThatNeedANetwork) {
  expect_settings_error({.method = "tent", .options = {}}, {"tent", "network", "on embeddings", "stad-vmf"});
}

TEST(SpeedSettingsRules, RefuseWhatDoesNotFitIntoMemory) {
  expect_settings_error({.options = {}, .samples = 100'000, .dimension = 65'536}, {"GB", "samples = 100000"});
  expect_settings_error({.method = "stad-gauss", .options = {}, .dimension = 1024, .classes = 1000},
                        {"GB", "stad-gauss"});
}

}  // namespace
}  // namespace stad::speed
