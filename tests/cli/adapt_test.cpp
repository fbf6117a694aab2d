#include <algorithm>

#include <stad/files.hpp>

#include "cli/command_test.hpp"
#include "support/npy_bytes.hpp"

namespace stad::testing {
namespace {

using AdaptTest = CommandTest;

TEST_F(AdaptTest, TellsEverythingInOneObject) {
  simulate("s.npz");
  const auto report = json({"adapt", "--method", "stad-vmf", "--stream", "s.npz", "-O", "window=2"});
  EXPECT_EQ(report["method"], "stad-vmf");
  EXPECT_EQ(report["options"]["window"], 2);
  EXPECT_EQ(report["options"]["kappa_trans"], 100);
  EXPECT_EQ(report["options"]["init"], "source");
  EXPECT_EQ(report["samples"], 600);
  EXPECT_EQ(report["batches"], 12);
  EXPECT_EQ(report["undirected"], 0);
  EXPECT_EQ(report["restarted"], 0);
  EXPECT_EQ(report["accuracy"]["per_step"].size(), 6U);
  EXPECT_TRUE(report["accuracy"]["per_step"][5]["time"].is_number_integer());
  EXPECT_EQ(report["accuracy"]["per_step"][5]["time"], 5);
  EXPECT_EQ(report["accuracy"]["per_step"][5]["samples"], 100);
  EXPECT_GT(report["accuracy"]["pooled"], 0.5);
  EXPECT_LE(report["accuracy"]["step_mean"], 1.0);
  EXPECT_EQ(report["per_class"].size(), 3U);
  for (const char* key : {"class", "samples", "recall", "precision"}) EXPECT_TRUE(report["per_class"][0].contains(key));
  for (const char* key : {"read", "adapt", "write"}) EXPECT_GE(report["seconds"][key], 0);
  for (const char* key : {"samples_per_second", "calibration_error", "version"}) EXPECT_TRUE(report.contains(key));
}

TEST_F(AdaptTest, TellsHowItFaresWithoutLabels) {
  simulate("s.npz");
  const auto basic = json({"adapt", "--stream", "s.npz"})["health"];
  EXPECT_EQ(basic["level"], "basic");
  EXPECT_EQ(basic["compared"], 600);
  EXPECT_TRUE(basic["warning"].is_string());
  EXPECT_EQ(basic["guard"]["answers"], "source");
  EXPECT_EQ(basic["guard"]["held_by"], "zeta");
  for (const char* key : {"zeta", "excess", "autocorrelation"}) EXPECT_TRUE(basic["guard"][key].is_number());
  EXPECT_TRUE(basic["movement"].is_null());
  EXPECT_EQ(basic["per_step"].size(), 6U);
  EXPECT_EQ(basic["warnings"]["steps"], 4) << "the first steps have too few rows";
  const auto full = json({"adapt", "--method", "t3a", "--stream", "s.npz", "--health", "full"})["health"];
  EXPECT_EQ(full["compared"], 600);
  EXPECT_EQ(full["movement"].size(), 3U);
  EXPECT_EQ(full["warning"], basic["warning"]) << "of a stad-safe adapter beside t3a";
  EXPECT_EQ(full["guard"], basic["guard"]);
  EXPECT_TRUE(json({"adapt", "--stream", "s.npz", "--health", "none"})["health"].is_null());
  const auto text = stad({"adapt", "--stream", "s.npz"}).out;
  for (const char* words : {"health      mean confidence", "warning     ",
                            "warnings    4 steps:", "guard       the source answers: labels do not persist (zeta "})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
  EXPECT_NE(stad({"adapt", "--method", "t3a", "--stream", "s.npz"}).out.find("none for t3a at this level"),
            std::string::npos);
}

TEST_F(AdaptTest, AdaptsWithoutTheCardOnRequest) {
  simulate("s.npz");
  const auto health = json({"adapt", "--stream", "s.npz", "--card", "off"})["health"];
  EXPECT_TRUE(health["warning"].is_null());
  EXPECT_TRUE(health["warnings"].is_null());
  const auto text = stad({"adapt", "--stream", "s.npz", "--card", "off"}).out;
  EXPECT_NE(text.find("warning     no card: no estimate without labels"), std::string::npos) << text;
  expect_rejected({"adapt", "--stream", "s.npz", "--card", "no"}, {"--card", "no"});
}

TEST_F(AdaptTest, SaysThatLabelChainsAnswerWhereLabelsPersist) {
  simulate("s.npz", {"--label-shift"});
  const auto report = json({"adapt", "--stream", "s.npz"});
  EXPECT_EQ(report["health"]["guard"]["answers"], "chains");
  EXPECT_EQ(report["health"]["guard"]["held_by"], "none");
  EXPECT_GT(report["accuracy"]["pooled"],
            json({"adapt", "--method", "source", "--stream", "s.npz"})["accuracy"]["pooled"]);
  EXPECT_NE(stad({"adapt", "--stream", "s.npz"}).out.find("label chains answer (zeta "), std::string::npos);
}

TEST_F(AdaptTest, SaysNullWhereThereAreNoLabels) {
  directory.write("head.npy", npy_bytes({2, 2}, {1, 0, 0, 1}));
  directory.write("s.csv", "a,b\n1,2\n2,1\n0,0\n");
  const auto report = json({"adapt", "--method", "stad-vmf", "--source", "head.npy", "--stream", "s.csv"});
  EXPECT_TRUE(report["accuracy"].is_null());
  EXPECT_FALSE(report.contains("per_class"));
  EXPECT_EQ(report["undirected"], 1);
}

TEST_F(AdaptTest, LeavesRowsOfNoClassOutOfTheScore) {
  directory.write("head.npy", npy_bytes({2, 2}, {1, 0, 0, 1}));
  directory.write("s.csv", "a,b,label\n1,2,1\n2,1,-1\n2,1,1\n3,1,-1\n");
  const std::vector<std::string> adapt{"adapt", "--method", "source", "--source", "head.npy", "--stream", "s.csv"};
  const auto report = json(adapt);
  EXPECT_EQ(report["samples"], 4);
  EXPECT_EQ(report["accuracy"]["samples"], 2);
  EXPECT_EQ(report["accuracy"]["pooled"], 0.5);
  EXPECT_EQ(report["per_class"][0]["precision"], 0.0);
  EXPECT_NE(stad(adapt).out.find("2 rows, the others are labelled as of no class"), std::string::npos);
}

TEST_F(AdaptTest, ShowsWhatLateLabelsWouldGive) {
  simulate("s.npz");
  const std::vector<std::string> adapt{"adapt", "--method", "stad-vmf", "--stream", "s.npz", "--label-delay", "1"};
  const auto report = json(adapt);
  EXPECT_EQ(report["labels"]["delay"], 1);
  EXPECT_EQ(report["labels"]["share"], 1);
  EXPECT_EQ(report["labels"]["used"], 564) << "of 600, but for the last batch of 36";
  EXPECT_EQ(report["labels"]["forgotten"], 0);
  EXPECT_NE(stad(adapt).out.find("564 labels, 1 batch late"), std::string::npos);
  EXPECT_TRUE(json({"adapt", "--stream", "s.npz"})["labels"].is_null());

  const auto some = json({"adapt", "--method", "stad-vmf", "--stream", "s.npz", "--label-delay", "0", "--label-share",
                          "0.1", "--seed", "4"});
  EXPECT_EQ(some["labels"]["share"], 0.1);
  EXPECT_LT(some["labels"]["used"], 120);
  expect_rejected({"adapt", "--stream", "s.npz", "--label-share", "0.1"}, {"--label-delay"});
  expect_rejected({"adapt", "--method", "stad-vmf", "--stream", "s.npz", "--label-delay", "-1"},
                  {"must be at least 0"});
  expect_rejected({"adapt", "--method", "t3a", "--stream", "s.npz", "--label-delay", "1"},
                  {"t3a takes no labels, stad-vmf and stad-safe with label_budget do"});
}

TEST_F(AdaptTest, SimulatesEveryRegime) {
  for (const char* regime : {"--scattered", "--unknown-class", "--label-shift"}) {
    const auto report = json({"simulate", "--out", "s.npz", "--drift", "abrupt", "--steps", "4", regime});
    EXPECT_EQ(report["drift"], "abrupt");
    EXPECT_EQ(report["scattered"], regime == std::string("--scattered"));
    EXPECT_EQ(report["unknown_class"], regime == std::string("--unknown-class"));
    const auto steps = json({"adapt", "--method", "source", "--stream", "s.npz"})["accuracy"]["per_step"];
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_GT(steps[1]["accuracy"], steps[2]["accuracy"].get<double>() + 0.1) << regime;
    EXPECT_EQ(steps[1]["samples"], 256);
    EXPECT_EQ(steps[2]["samples"] < 256, regime == std::string("--unknown-class"));
  }
}

TEST_F(AdaptTest, SaysNullForTheTimeOfAStreamWithoutTime) {
  directory.write("head.npy", npy_bytes({2, 2}, {1, 0, 0, 1}));
  directory.write("s.csv", "a,b,label\n1,2,1\n2,1,1\n");
  const auto report = json({"adapt", "--method", "source", "--source", "head.npy", "--stream", "s.csv"});
  ASSERT_EQ(report["accuracy"]["per_step"].size(), 1U);
  EXPECT_TRUE(report["accuracy"]["per_step"][0]["time"].is_null());
  EXPECT_EQ(report["accuracy"]["pooled"], 0.5);
}

TEST_F(AdaptTest, SummarisesForPeople) {
  simulate("s.npz");
  const auto result = stad({"adapt", "--method", "t3a", "--stream", "s.npz", "--per-class", "--calibration"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* word :
       {"t3a", "supports=100", "600 in 12 batches", "% pooled", "6 time steps", "samples/s", "calibration", "recall %"})
    EXPECT_NE(result.out.find(word), std::string::npos) << word << " in\n" << result.out;
  EXPECT_EQ(result.err, "");
}

TEST_F(AdaptTest, RunsEveryMethodOnASimulatedStream) {
  simulate("s.npz");
  for (const char* method : {"source", "t3a", "lame", "stad-vmf", "stad-gauss", "normalise", "prior", "stad-safe"})
    EXPECT_GT(json({"adapt", "--method", method, "--stream", "s.npz"})["accuracy"]["pooled"], 0.6) << method;
}

TEST_F(AdaptTest, TakesTheSafeMethodWhereNoneIsNamed) {
  simulate("s.npz");
  EXPECT_EQ(json({"adapt", "--stream", "s.npz"})["method"], "stad-safe");
}

TEST_F(AdaptTest, WritesAnswersInTheOrderOfTheStreamWhateverTheOrderOfTheRun) {
  simulate("s.npz");
  ASSERT_EQ(stad({"adapt", "--method", "source", "--stream", "s.npz", "--out", "a.npz"}).exit_code, 0);
  ASSERT_EQ(
      stad({"adapt", "--method", "source", "--stream", "s.npz", "--out", "b.npz", "--order", "shuffled"}).exit_code, 0);
  EXPECT_EQ(directory.read("a.npz"), directory.read("b.npz"));
  const auto arrays = inspect_file(directory.file("a.npz"));
  ASSERT_TRUE(arrays);
  ASSERT_EQ(arrays->arrays.size(), 2U);
  EXPECT_EQ(arrays->arrays[0].shape[0], 600);
}

TEST_F(AdaptTest, GivesTheSameBytesWhateverTheNumberOfThreads) {
  // Large enough that the work of a batch is shared out.
  ASSERT_EQ(
      stad({"simulate", "--out", "s.npz", "--steps", "3", "--samples", "512", "--classes", "40", "--dimension", "128"})
          .exit_code,
      0);
  for (const char* method : {"source", "t3a", "lame", "stad-vmf", "stad-safe"}) {
    for (const char* threads : {"1", "4"}) {
      const auto result = stad({"adapt", "--method", method, "--stream", "s.npz", "--batch-size", "512", "--out",
                                threads, "--threads", threads});
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
    EXPECT_EQ(directory.read("1"), directory.read("4")) << method;
  }
}

TEST_F(AdaptTest, ContinuesFromAStateAsIfNeverInterrupted) {
  simulate("s.npz");
  for (const char* method : {"t3a", "lame", "stad-vmf", "stad-gauss", "stad-safe"}) {
    ASSERT_EQ(stad({"adapt", "--method", method, "--stream", "s.npz", "--state-out", "whole"}).exit_code, 0);
    ASSERT_EQ(stad({"adapt", "--method", method, "--stream", "s.npz", "--until", "2", "--state-out", "half"}).exit_code,
              0);
    const auto second = stad({"adapt", "--stream", "s.npz", "--since", "3", "--state-in", "half", "--state-out", "half",
                              "--out", "second.npz"});
    ASSERT_EQ(second.exit_code, 0) << second.err;
    EXPECT_EQ(directory.read("whole"), directory.read("half")) << method;
  }
}

TEST_F(AdaptTest, KeepsTheOptionsOfTheStateItContinues) {
  simulate("s.npz");
  ASSERT_EQ(stad({"adapt", "--method", "stad-vmf", "-O", "window=1", "-O", "kappa_ems=50", "--stream", "s.npz",
                  "--state-out", "t"})
                .exit_code,
            0);
  const auto report = json({"adapt", "--stream", "s.npz", "--state-in", "t", "-O", "window=1"});
  EXPECT_EQ(report["options"]["window"], 1);
  EXPECT_EQ(report["options"]["kappa_ems"], 50);
}

TEST_F(AdaptTest, ReadsNpyAndCsvFromStandardInput) {
  directory.write("head.npy", npy_bytes({2, 2}, {1, 0, 0, 1}));
  const std::vector<std::string> arguments{"adapt", "--method", "source", "--source", "head.npy", "--stream", "-"};
  EXPECT_EQ(json(arguments, npy_bytes({3, 2}, {1, 2, 3, 4, 5, 6}))["samples"], 3);
  const auto report = json(arguments, "a,b,label,time\n1,2,1,1970\n2,1,0,1971.5\n");
  EXPECT_EQ(report["accuracy"]["pooled"], 1.0);
  EXPECT_EQ(report["accuracy"]["per_step"][0]["time"], 1970);
  EXPECT_EQ(report["accuracy"]["per_step"][1]["time"], 1971.5);
}

TEST_F(AdaptTest, FindsCsvColumnsByName) {
  directory.write("head.npy", npy_bytes({2, 2}, {1, 0, 0, 1}));
  directory.write("s.csv", "year,a,truth,b\n1970,1,1,2\n1971,2,0,1\n");
  const auto report = json({"adapt", "--method", "source", "--source", "head.npy", "--stream", "s.csv",
                            "--label-column", "truth", "--time-column", "year"});
  EXPECT_EQ(report["accuracy"]["pooled"], 1.0);
  EXPECT_EQ(report["accuracy"]["per_step"].size(), 2U);
}

TEST_F(AdaptTest, CutsAndSelectsAsAsked) {
  simulate("s.npz");
  const auto report =
      json({"adapt", "--method", "source", "--stream", "s.npz", "--batch-size", "30", "--since", "1", "--until", "4"});
  EXPECT_EQ(report["samples"], 400);
  EXPECT_EQ(report["batches"], 16);
}

TEST_F(AdaptTest, AdaptsAHeadThatWasFitted) {
  simulate("train.npz", {"--drift", "none", "--noise", "0.5"});
  simulate("later.npz", {"--noise", "0.5"});
  for (const char* kind : {"logistic", "class-means"}) {
    const auto fitted =
        json({"fit", "--features", "train.npz", "--out", "head.npz", "--kind", kind, "--classes", "cat,dog,owl"});
    EXPECT_GT(fitted["training_accuracy"], 0.95);
    const auto report = json({"adapt", "--method", "stad-vmf", "--source", "head.npz", "--stream", "later.npz"});
    EXPECT_GT(report["accuracy"]["pooled"], 0.8) << kind;
    EXPECT_EQ(report["per_class"][1]["class"], "dog");
  }
}

TEST_F(AdaptTest, SimulatesTheSameBytesForTheSameSeed) {
  simulate("a.npz", {"--seed", "4"});
  simulate("b.npz", {"--seed", "4"});
  simulate("c.npz", {"--seed", "5"});
  EXPECT_EQ(directory.read("a.npz"), directory.read("b.npz"));
  EXPECT_NE(directory.read("a.npz"), directory.read("c.npz"));
}

}  // namespace
}  // namespace stad::testing
