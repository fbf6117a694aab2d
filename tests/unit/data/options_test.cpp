#include <stad/options.hpp>

#include <gtest/gtest.h>

namespace stad::testing {
namespace {

std::string options_error(const OptionValues& values) {
  const auto parsed = parse_options<StadVmfOptions>(values);
  return parsed ? "" : parsed.error().message;
}

TEST(Options, KeepTheirDefaultsWhereNothingIsSaid) {
  const auto options = *parse_options<StadVmfOptions>({});
  EXPECT_EQ(options.kappa_trans, 100);
  EXPECT_EQ(options.window, 3);
  EXPECT_EQ(options.init, Init::kSource);
  EXPECT_EQ(options.probabilities, VmfProbabilities::kScaled);
}

TEST(Options, TakeEveryKindOfValue) {
  const auto options = *parse_options<StadVmfOptions>(
      {{"kappa_trans", "1e3"}, {"window", "7"}, {"init", "previous"}, {"learn_kappa", "class"}, {"dynamics", "off"}});
  EXPECT_EQ(options.kappa_trans, 1000);
  EXPECT_EQ(options.window, 7);
  EXPECT_EQ(options.init, Init::kPrevious);
  EXPECT_EQ(options.learn_kappa, LearnKappa::kClass);
  EXPECT_FALSE(options.dynamics);
}

TEST(Options, ComplainWithFieldValueAndRule) {
  EXPECT_EQ(options_error({{"window", "-1"}}), "stad-vmf: window = -1, must be a whole number from 0 to 1000");
  EXPECT_EQ(options_error({{"kappa_ems", "0"}}), "stad-vmf: kappa_ems = 0, must be a number from 0.01 to 1e+06");
  EXPECT_EQ(options_error({{"init", "last"}}), "stad-vmf: init = last, must be one of source, previous");
  EXPECT_EQ(options_error({{"window", "3.5"}}), "stad-vmf: window = 3.5, must be a whole number from 0 to 1000");
  EXPECT_NE(options_error({{"kappa", "5"}}).find("unknown option kappa, must be one of kappa_trans, "),
            std::string::npos);
}

TEST(Options, RefuseWhatIsNoNumber) {
  for (const char* text : {"", "nan", "inf", "-inf", "1e999", "10x", " 10", "0x10"})
    EXPECT_NE(options_error({{"kappa_trans", text}}), "") << text;
}

TEST(Options, ValidateWhatCodeSets) {
  StadVmfOptions options;
  options.sweeps = 0;
  ASSERT_FALSE(options.validate());
  EXPECT_EQ(options.validate().error().message, "stad-vmf: sweeps = 0, must be a whole number from 1 to 1000");
}

TEST(Options, SpeakOfAllSupports) {
  EXPECT_FALSE(parse_options<T3aOptions>({{"supports", "all"}})->supports.has_value());
  EXPECT_EQ(*parse_options<T3aOptions>({{"supports", "5"}})->supports, 5);
  EXPECT_FALSE(parse_options<T3aOptions>({{"supports", "0"}}));
  EXPECT_EQ(resolved_options(*parse_options<T3aOptions>({{"supports", "all"}}))[0].value, "all");
}

TEST(Options, SurviveTheirOwnPrinting) {
  StadGaussOptions options;
  options.initial_variance = 0.1234567890123;
  options.score = GaussScore::kLikelihood;
  OptionValues printed;
  for (const auto& setting : resolved_options(options)) printed.emplace_back(setting.name, setting.value);
  const auto read = *parse_options<StadGaussOptions>(printed);
  EXPECT_EQ(read.initial_variance, options.initial_variance);
  EXPECT_EQ(read.score, options.score);
}

}  // namespace
}  // namespace stad::testing
