// Labels on request: stad adapt --label-budget and stad certify.

#include <stad/files.hpp>
#include <stad/methods.hpp>

#include "cli/command_test.hpp"

namespace stad::testing {
namespace {

class LabelsTest : public CommandTest {
 protected:
  LabelsTest() {
    const auto made = stad({"simulate", "--drift", "rapid", "--seed", "1", "--out", "stream.npz"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
  }

  double accuracy(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "adapt");
    return json(arguments)["accuracy"]["pooled"];
  }
};

const std::vector<std::string> kBudget{
    "adapt", "--stream", "stream.npz", "-O", "candidates=chains,fine-tune,stad-vmf", "--label-budget", "50"};

TEST_F(LabelsTest, OfABudgetAdmitACandidateThatGains) {
  const auto report = json(kBudget);
  EXPECT_EQ(report["options"]["label_period"], 5120) << "the rows of the stream";
  EXPECT_EQ(report["labels"]["requested"], 50);
  EXPECT_EQ(report["labels"]["delay"], 1);
  EXPECT_EQ(report["labels"]["used"], 50);
  EXPECT_EQ(report["health"]["answers"], "stad-vmf");
  EXPECT_EQ(report["health"]["candidates"].size(), 3U);
  EXPECT_GT(report["health"]["candidates"][2]["wealth"], 60);
  EXPECT_GT(double(report["accuracy"]["pooled"]), accuracy({"--method", "source", "--stream", "stream.npz"}) + 0.05);
  const auto text = stad(kBudget).out;
  for (const char* words :
       {"50 requested, 50 labels, 1 batch late", "source from time 0, stad-vmf from time", "(answers, watch"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
}

TEST_F(LabelsTest, AreRequestedInTheRowsThatThePredictionsName) {
  auto arguments = kBudget;
  arguments.insert(arguments.end(), {"--out", "answers.npz"});
  ASSERT_EQ(stad(arguments).exit_code, 0);
  EXPECT_NE(stad({"inspect", "answers.npz"}).out.find("label_requests"), std::string::npos);
}

TEST_F(LabelsTest, ContinueFromAStateWithItsBudget) {
  auto first = kBudget;
  first.insert(first.end(), {"--until", "9", "--state-out", "half.state", "-O", "label_period=5120"});
  ASSERT_EQ(stad(first).exit_code, 0) << stad(first).err;
  const auto second =
      json({"adapt", "--stream", "stream.npz", "--since", "10", "--state-in", "half.state", "--label-delay", "1"});
  EXPECT_EQ(second["options"]["label_budget"], 50);
  EXPECT_GT(second["labels"]["requested"], 0);
  expect_rejected({"adapt", "--stream", "stream.npz", "--state-in", "half.state", "--label-budget", "9"},
                  {"--label-budget and --state-in exclude each other"});
}

TEST_F(LabelsTest, NeedAMethodThatRequestsThem) {
  expect_rejected({"adapt", "--stream", "stream.npz", "--method", "t3a", "--label-budget", "9"},
                  {"unknown option label_budget"});
  expect_rejected({"adapt", "--stream", "stream.npz", "--label-delay", "1"},
                  {"stad-safe takes labels only with candidates; set label_budget, or candidates"});
  expect_rejected({"adapt", "--stream", "stream.npz", "-O", "candidates=chains,unknown"},
                  {"candidates = chains,unknown", "must be auto, none, or different names of chains, fine-tune"});
}

TEST_F(LabelsTest, OfAHistoryCertifyACandidate) {
  ASSERT_EQ(stad({"simulate", "--drift", "rapid", "--steps", "40", "--seed", "1", "--out", "year.npz"}).exit_code, 0);
  const std::vector<std::string> certify{"certify",      "--source", "year.npz", "--history",    "year.npz",
                                         "--candidates", "stad-vmf", "--out",    "certified.npz"};
  const auto report = json(certify);
  EXPECT_EQ(report["steps"], 40);
  ASSERT_EQ(report["candidates"].size(), 1U);
  const auto& candidate = report["candidates"][0];
  EXPECT_TRUE(candidate["answers"]);
  EXPECT_GE(candidate["wealth"], candidate["threshold"]);
  EXPECT_GT(candidate["gain"], 0.05);
  EXPECT_LT(candidate["gain_error"], candidate["gain"]);
  EXPECT_NE(stad(certify).out.find("stad-vmf answers from the start"), std::string::npos);

  const auto source = read_source(directory.file("certified.npz"));
  ASSERT_TRUE(source) << source.error().message;
  ASSERT_NE(source->certificate(), nullptr);
  EXPECT_EQ(source->certificate()->options.front().value, "stad-vmf");
  const auto run = json({"adapt", "--source", "certified.npz", "--stream", "stream.npz"});
  EXPECT_EQ(run["health"]["answers"], "stad-vmf");
  EXPECT_GT(double(run["accuracy"]["pooled"]), accuracy({"--method", "source", "--stream", "stream.npz"}) + 0.05);
}

TEST_F(LabelsTest, OfAHistoryAreRejectedWhereTheyProveNothing) {
  directory.write("head.csv.npz", directory.read("stream.npz"));
  directory.write("bare.csv", "0,1\n1,0\n0,1\n");
  ASSERT_EQ(stad({"simulate", "--steps", "3", "--seed", "1", "--out", "short.npz"}).exit_code, 0);
  const auto certify = [](const char* history) {
    return std::vector<std::string>{"certify", "--source", "stream.npz", "--history", history, "--out", "out.npz"};
  };
  expect_rejected(certify("short.npz"), {"short.npz: has 3 time steps, must have at least 5"});
  expect_rejected(certify("bare.csv"), {"bare.csv: features have 2 columns, must have 32"});
}

}  // namespace
}  // namespace stad::testing
