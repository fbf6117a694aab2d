#include <stad/files.hpp>

#include "cli/command_test.hpp"
#include "support/npy_bytes.hpp"

namespace stad::testing {
namespace {

class CardTest : public CommandTest {
 protected:
  CardTest() {
    directory.write("head.npy", npy_bytes({2, 2}, {1, 0, 0, 1}));
    directory.write("rows.csv", "a,b,label\n3,0,0\n0,3,1\n2,0,0\n0,1,0\n");
  }
};

TEST_F(CardTest, AddsACardComputedFromLabelledRows) {
  const auto report = json({"card", "--source", "head.npy", "--features", "rows.csv", "--out", "carded.npz"});
  EXPECT_EQ(report["rows"], 4);
  EXPECT_EQ(report["card"]["accuracy"], 0.75);
  EXPECT_TRUE(report["card"]["temperature"].is_number());
  const auto source = read_source(directory.file("carded.npz"));
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(source->card().accuracy, 0.75);
  EXPECT_EQ(source->card().frequencies, (std::vector<float>{0.75F, 0.25F}));
  EXPECT_EQ(json({"inspect", "carded.npz"})["card"], report["card"]);
  const auto text = stad({"card", "--source", "head.npy", "--features", "rows.csv", "--out", "carded.npz"}).out;
  for (const char* words :
       {"carded.npz: the head with a card of 4 rows: accuracy 75.00 %", "confidence", "temperature"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
}

TEST_F(CardTest, GivesAWarningLevelAfterEnoughRows) {
  std::string rows = "a,b,label\n";
  for (int n = 0; n < 100; ++n) rows += "3,0,0\n0,3,1\n2,1,0\n";
  directory.write("many.csv", rows);
  ASSERT_EQ(stad({"card", "--source", "head.npy", "--features", "rows.csv", "--out", "carded.npz"}).exit_code, 0);
  const auto warning = [&](const char* source, const char* stream) {
    return json({"adapt", "--source", source, "--stream", stream})["health"]["warning"];
  };
  EXPECT_TRUE(warning("head.npy", "many.csv").is_null());
  EXPECT_TRUE(warning("carded.npz", "rows.csv").is_null());
  EXPECT_EQ(warning("carded.npz", "many.csv"), "fine");
  EXPECT_NE(stad({"adapt", "--source", "carded.npz", "--stream", "rows.csv"}).out.find("none: too few rows yet"),
            std::string::npos);
}

TEST_F(CardTest, RejectsRowsThatMakeNoCard) {
  directory.write("bare.csv", "a,b\n3,0\n0,3\n");
  directory.write("wide.csv", "a,b,c,label\n3,0,1,0\n0,3,1,1\n");
  directory.write("third.csv", "a,b,label\n3,0,0\n0,3,2\n");
  directory.write("one.csv", "a,b,label\n3,0,0\n");
  const auto reject = [&](const char* file, const std::vector<std::string>& words) {
    expect_rejected({"card", "--source", "head.npy", "--features", file, "--out", "carded.npz"}, words);
  };
  reject("bare.csv", {"bare.csv: has no labels, a card requires one for every row"});
  reject("wide.csv", {"wide.csv: features have 3 dimensions, must have 2 as the source has"});
  reject("third.csv", {"third.csv: label 1 is 2, must be from 0 to 1"});
  reject("one.csv", {"one.csv", "at least 2"});
  expect_rejected({"card", "--source", "head.npy", "--features", "rows.csv", "--out", "rows.csv"},
                  {"is the same file as"});
}

TEST_F(CardTest, IsHeldOutByFit) {
  simulate("train.npz", {"--drift", "none"});
  const auto fitted = json({"fit", "--features", "train.npz", "--out", "head.npz"});
  EXPECT_EQ(fitted["held_out"], 120);
  EXPECT_TRUE(fitted["card"]["accuracy"].is_number());
  EXPECT_NE(
      stad({"fit", "--features", "train.npz", "--out", "head.npz"}).out.find("card of 120 rows held out: accuracy"),
      std::string::npos);
  EXPECT_FALSE(read_source(directory.file("head.npz"))->card().is_empty());
  const auto whole = json({"fit", "--features", "train.npz", "--out", "head.npz", "--card", "off"});
  EXPECT_EQ(whole["held_out"], 0);
  EXPECT_TRUE(whole["card"].is_null());
  EXPECT_TRUE(read_source(directory.file("head.npz"))->card().is_empty());
  EXPECT_NE(stad({"fit", "--features", "rows.csv", "--out", "head.npz"}).out.find("no card: too few rows"),
            std::string::npos);
}

}  // namespace
}  // namespace stad::testing
