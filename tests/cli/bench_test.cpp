// stad bench and stad compare from outside: files, exit codes, interruption, and the paper's figures on real data.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "cli/command_test.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

using Json = nlohmann::json;

constexpr char kExperiment[] = R"(title = "Two methods"
[[streams]]
name = "simulated"
files = ["stream.npz"]
[[settings]]
name = "mixed"
batch_size = 20
seeds = [0, 1]
[[methods]]
name = "source"
[[methods]]
name = "t3a"
grid = { supports = [1, 20] }
)";

class Bench : public CommandTest {
 protected:
  Bench() { simulate("stream.npz"); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory.path() + "/" + name, std::ios::binary) << text;
  }

  Json read(const std::string& name) const {
    std::ifstream file(directory.path() + "/" + name);
    return Json::parse(file, nullptr, false);
  }
};

TEST_F(Bench, WritesResultsTheirTwinAndAPage) {
  write("experiment.toml", kExperiment);
  const auto result = stad({"bench", "experiment.toml", "--out", "results"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("best with labels"), std::string::npos) << result.out;
  EXPECT_EQ(read("results/results.json").size(), 10U)
      << "2 orders of source, of the defaults, which are also best, and of two grid points";
  for (const char* name : {"results.csv", "summary.json", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(directory.path() + "/results/" + name)) << name;
}

TEST_F(Bench, PrintsOneObjectOnRequest) {
  write("experiment.toml", kExperiment);
  const auto summary = json({"bench", "experiment.toml", "--out", "results"});
  EXPECT_EQ(summary["runs"], 8);
  EXPECT_EQ(summary["cells"].size(), 3U) << "source, and t3a by two protocols";
  EXPECT_EQ(json({"bench", "experiment.toml", "--out", "results"})["reused"], 8);
}

/// Needs no file.
constexpr char kSimulated[] = R"(report = ["gains"]
[[streams]]
name = "abrupt"
simulated = { drift = "abrupt", steps = 6, samples = 60, classes = 3, dimension = 8 }
seeds = [4, 5]
[[streams]]
name = "scattered"
simulated = { drift = "none", scattered = true, steps = 6, samples = 60, classes = 3, dimension = 16 }
seeds = [4, 5]
[[settings]]
name = "mixed"
batch_size = [1, 20]
[[settings]]
name = "sorted"
order = "sorted"
batch_size = [1, 20]
[[methods]]
name = "source"
[[methods]]
name = "stad-safe"
[[methods]]
name = "t3a"
grid = { supports = [1, 20] }
)";

TEST_F(Bench, TellsGainsOnSimulatedStreams) {
  write("gains.toml", kSimulated);
  const auto result = stad({"bench", "gains.toml", "--out", "results"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* piece : {"scattered, sorted, batches of 20", "least cell", "t3a*", "best of these*"})
    EXPECT_NE(result.out.find(piece), std::string::npos) << piece << " in " << result.out;
  const auto again = json({"bench", "gains.toml", "--out", "results"});
  EXPECT_EQ(again["runs"], 0) << "drawn anew, and found again";
  EXPECT_EQ(again["reused"], 2 * 2 * 4 * 5) << "streams, seeds, settings, and source, stad-safe and three of t3a";
  const auto& gains = again["gains"][0];
  EXPECT_EQ(gains["rows"].size(), 8U);
  ASSERT_EQ(gains["summary"].size(), 4U) << "stad-safe, t3a by two protocols, and the best of all";
  EXPECT_EQ(gains["summary"][0]["title"], "stad-safe");
  EXPECT_EQ(gains["summary"][0]["members"], 16);
  EXPECT_GE(gains["summary"][2]["mean"], gains["summary"][1]["mean"]) << "labels only ever choose the better";
  EXPECT_EQ(read("results/summary.json")["gains"][0], gains);
}

TEST_F(Bench, RejectsMistakesWithFileAndLineBeforeAnythingRuns) {
  write("typo.toml", std::string(kExperiment) + "windw = 3\n");
  expect_rejected({"bench", "typo.toml", "--out", "results"}, {"typo.toml:14: unknown key windw in [[methods]]"});
  write("missing.toml",
        "[[streams]]\nname = \"x\"\nfiles = [\"no.npz\"]\n[[settings]]\nname = \"s\"\nbatch_size = 1\n"
        "[[methods]]\nname = \"source\"\n");
  expect_rejected({"bench", "missing.toml", "--out", "results"}, {"missing.toml:1: stream x: no.npz does not exist"});
  expect_rejected({"bench", "absent.toml"}, {"absent.toml: cannot be read"});
  std::string many = kSimulated;
  many.replace(many.find("classes = 3"), 11, "classes = 1001");
  write("many.toml", many);
  expect_rejected({"bench", "many.toml"}, {"many.toml:4: simulate: classes = 1001, must be a whole number from 2 to "});
  expect_rejected({"bench", "missing.toml", "--data", "nowhere"}, {"--data nowhere: is not a directory"});
}

TEST_F(Bench, ListsWhatIsMissingWhenToldToGoOn) {
  write("experiment.toml", std::string(kExperiment) + "[[streams]]\nname = \"elsewhere\"\nfiles = [\"no.npz\"]\n");
  const auto summary = json({"bench", "experiment.toml", "--out", "results", "--skip-missing"});
  ASSERT_EQ(summary["missing"].size(), 1U);
  EXPECT_EQ(summary["missing"][0]["stream"], "elsewhere");
  std::map<std::string, int> rows;
  for (const auto& row : read("results/results.json")) ++rows[row["status"]];
  EXPECT_EQ(rows, (std::map<std::string, int>{{"done", 10}, {"missing", 2}}));
}

TEST_F(Bench, FailsWithOneWhereARunFailedAndStillReports) {
  write("experiment.toml", std::string("time_limit = 0\n") + kExperiment);
  const auto result = stad({"bench", "experiment.toml", "--out", "results", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("8 of 8 runs failed"), std::string::npos) << result.err;
  EXPECT_EQ(read("results/results.json")[0]["reason"], "took longer than time_limit = 0 s");
}

TEST_F(Bench, GoesOnWhereItWasInterrupted) {
  ASSERT_EQ(stad({"simulate", "--out", "long.npz", "--steps", "10", "--samples", "120", "--dimension", "16"}).exit_code,
            0);
  std::string text = kExperiment;
  text.replace(text.find("stream.npz"), 10, "long.npz");
  text += "[[methods]]\nname = \"stad-gauss\"\ngrid = { window = [1, 2, 3, 4, 5, 6, 7, 8] }\n";
  write("experiment.toml", text);
  RunningCommand first({kCommand, "bench", "experiment.toml", "--out", "results"}, "", directory.path());
  const std::string runs = directory.path() + "/results/runs";
  const auto finished = [&] {
    std::error_code none;
    return std::distance(std::filesystem::directory_iterator(runs, none), std::filesystem::directory_iterator());
  };
  for (int i = 0; i < 1000 && finished() < 6; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  first.send(SIGINT);
  const auto stopped = first.wait();
  EXPECT_EQ(stopped.signal, SIGINT);
  EXPECT_NE(stopped.err.find("the same command continues from there"), std::string::npos) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(directory.path() + "/results/results.json"));

  const auto resumed = json({"bench", "experiment.toml", "--out", "results"});
  EXPECT_GE(resumed["reused"], 6);
  EXPECT_EQ(resumed["runs"].get<int>() + resumed["reused"].get<int>(), 24) << "the default window is on the grid";
  const auto whole = json({"bench", "experiment.toml", "--out", "whole"});
  EXPECT_EQ(resumed["cells"], whole["cells"]);
}

TEST_F(Bench, ComparesTwoResults) {
  write("a.toml", std::string("name = \"same\"\n") + kExperiment + "[[methods]]\nname = \"stad-vmf\"\n");
  write("b.toml", std::string("name = \"same\"\n") + kExperiment +
                      "[[methods]]\nname = \"stad-vmf\"\noptions = { kappa_ems = 1, center = \"source\" }\n");
  for (const char* name : {"a", "b"})
    EXPECT_EQ(stad({"bench", std::string(name) + ".toml", "--out", name}).exit_code, 0);
  const auto comparison = json({"compare", "a", "b"});
  ASSERT_EQ(comparison["cells"].size(), 4U);
  for (const auto& cell : comparison["cells"]) {
    const bool changed = cell["title"] == "stad-vmf";
    EXPECT_EQ(cell["changed_options"] != "", changed) << cell;
    EXPECT_EQ(cell["p_value"] == 1.0, !changed) << cell;
    EXPECT_LE(cell["low"], cell["difference"]);
    EXPECT_LE(cell["difference"], cell["high"]);
  }
  EXPECT_NE(stad({"compare", "a", "a"}).out.find("4 of 4 cells are the same"), std::string::npos);
  expect_rejected({"compare", "a", "nowhere"}, {"nowhere/results.json: cannot be read"});
}

TEST_F(Bench, TellsAFallThatIsNoAccident) {
  const std::string sick = "[[methods]]\nname = \"stad-vmf\"\noptions = ";
  write("a.toml", std::string("name = \"same\"\n") + kExperiment + sick + "{}\n");
  write("b.toml", std::string("name = \"same\"\n") + kExperiment + sick +
                      "{ init = \"previous\", kappa_trans = 0.01, kappa_ems = 0.01, sweeps = 20 }\n");
  for (const char* name : {"a", "b"})
    EXPECT_EQ(stad({"bench", std::string(name) + ".toml", "--out", name}).exit_code, 0);
  EXPECT_EQ(stad({"compare", "a", "b"}).exit_code, 0);
  const auto result = stad({"compare", "a", "b", "--fail-if-worse"});
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_NE(result.err.find("significantly worse"), std::string::npos) << result.err;
}

TEST_F(Bench, LetsNothingThroughTheGateThatCannotBeTold) {
  write("a.toml", std::string("name = \"same\"\n") + kExperiment);
  write("b.toml", std::string("time_limit = 0\nname = \"same\"\n") + kExperiment);
  EXPECT_EQ(stad({"bench", "a.toml", "--out", "a"}).exit_code, 0);
  EXPECT_EQ(stad({"bench", "b.toml", "--out", "b"}).exit_code, 1);
  EXPECT_EQ(stad({"compare", "a", "a", "--fail-if-worse"}).exit_code, 0);
  EXPECT_EQ(stad({"compare", "a", "b", "--fail-if-worse"}).exit_code, 1);
  write("b/results.json", "{}");
  expect_rejected({"compare", "a", "b"}, {"b/results.json: is not a result of stad bench"});
}

TEST_F(Bench, KeepsControlCharactersFromTheTerminal) {
  write("experiment.toml", std::string("title = \"\\u001B[2J\\u009B31m\"\n") + std::string(kExperiment).substr(22));
  const auto result = stad({"bench", "experiment.toml", "--out", "results"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find('\x1B'), std::string::npos);
  EXPECT_EQ(result.out.find("\xC2\x9B"), std::string::npos);
}

/// The command with a copy of the library that has no torch component beside it.
class BenchWithoutTorch : public Bench {
 protected:
  void SetUp() override {
    const auto library = std::filesystem::path(kCommand).parent_path().parent_path() / "lib/libstad.so.0";
    ASSERT_TRUE(std::filesystem::exists(library)) << library;
    std::filesystem::copy_file(library, directory.path() + "/libstad.so.0");
    for (const char* name : {"network.pt", "images.npz"}) write(name, "there, and never read");
    write("images.toml", std::string(kExperiment) +
                             "[[streams]]\nname = \"pictures\"\nmodels = \"network.pt\"\nimages = \"images.npz\"\n");
  }

  CommandResult bench(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{
        "/usr/bin/env", "LD_LIBRARY_PATH=" + directory.path(), kCommand, "bench", "images.toml", "--out", "results"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments, "", directory.path());
  }
};

TEST_F(BenchWithoutTorch, RejectsAStreamOfImagesWithItsLine) {
  const auto result = bench({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err.rfind("stad: images.toml:14: stream pictures: the torch component cannot be loaded: ", 0), 0U)
      << result.err;
}

TEST_F(BenchWithoutTorch, LeavesItOutAndRunsTheOthersWhenToldTo) {
  const auto result = bench({"--skip-missing"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("skipped: pictures of images, the torch component cannot be loaded"), std::string::npos)
      << result.out;
  EXPECT_EQ(read("results/results.json").size(), 12U) << "ten as before, and what two methods missed";
}

/// The rows of the Yearbook experiment that need no network, on recorded embeddings.
constexpr char kYearbook[] = R"(
[[streams]]
name = "Yearbook"
files = ["yearbook_features_seed0.npz", "yearbook_features_seed1.npz", "yearbook_features_seed2.npz"]
since = 1970
until = 2013
sort_by_time = true
[[settings]]
name = "covariate shift"
batch_size = 2048
[[methods]]
name = "source"
title = "Source model"
[[methods]]
name = "lame"
title = "LAME"
grid = { neighbours = [1, 3, 5] }
[[methods]]
name = "t3a"
title = "T3A"
grid = { supports = [1, 5, 20, 50, 100, "all"] }
[[methods]]
name = "stad-vmf"
title = "STAD-vMF"
options = { init = "previous", learn_kappa = "class", probabilities = "paper" }
grid = { kappa_trans = [100, 1000], kappa_ems = [100, 1000] }
[[methods]]
name = "stad-vmf"
title = "STAD-vMF, scaled probabilities"
options = { init = "previous", learn_kappa = "class", probabilities = "scaled" }
protocol = "best with labels"
[[methods]]
name = "stad-gauss"
title = "STAD-Gauss, preset"
options = { init = "previous", score = "unit", initial_variance = 5 }
protocol = "best with labels"
)";

class BenchYearbook : public CommandTest {};

TEST_F(BenchYearbook, ReproducesThePaperUnderCovariateShift) {
  STAD_NEEDS_SHARED("data/yearbook");
  std::ofstream(directory.path() + "/yearbook.toml") << kYearbook;
  const auto summary = json({"bench", "yearbook.toml", "--data", shared_path("data/yearbook")});
  std::map<std::string, double> accuracy;
  for (const auto& cell : summary["cells"])
    if (cell["setting"] == "covariate shift" &&
        (cell["protocol"] == "best with labels" || cell["title"] == "Source model"))
      accuracy[cell["title"]] = 100 * cell["accuracy_pooled"].get<double>();
  EXPECT_NEAR(accuracy["Source model"], 82.0, 0.3);
  EXPECT_NEAR(accuracy["LAME"], 82.1, 0.3);
  EXPECT_NEAR(accuracy["T3A"], 83.4, 0.3);
  EXPECT_NEAR(accuracy["STAD-vMF"], 85.8, 0.3);
  EXPECT_NEAR(accuracy["STAD-vMF, scaled probabilities"], 86.8, 0.3);
  EXPECT_NEAR(accuracy["STAD-Gauss, preset"], 86.95, 0.3);
  // The ordering of the paper.
  EXPECT_LT(accuracy["Source model"], accuracy["LAME"]);
  EXPECT_LT(accuracy["LAME"], accuracy["T3A"]);
  EXPECT_LT(accuracy["T3A"], accuracy["STAD-vMF"]);
  EXPECT_LT(accuracy["STAD-vMF"], accuracy["STAD-Gauss, preset"]);

  // The dip of the 1970s and 80s, which the source never recovers from before the 90s.
  std::map<int, std::pair<double, double>> decades;  // correct and samples of the source model
  std::ifstream file(directory.path() + "/stad-bench/results.json");
  for (const auto& row : Json::parse(file)) {
    if (row["title"] != "Source model" || row["setting"] != "covariate shift") continue;
    std::ifstream record(directory.path() + "/stad-bench/" + row["record"].get<std::string>());
    const auto run = Json::parse(record);
    for (const auto& step : run["result"]["steps"]) {
      auto& decade = decades[step[0].get<int>() / 10 * 10];
      decade.second += step[1].get<double>();
      decade.first += step[2].get<double>();
    }
  }
  const auto rate = [&](int decade) { return 100 * decades[decade].first / decades[decade].second; };
  RecordProperty("decades", Json{rate(1970), rate(1980), rate(1990), rate(2000), rate(2010)}.dump());
  EXPECT_LT(std::max(rate(1970), rate(1980)) + 5, std::min(rate(1990), rate(2000)));
}

}  // namespace
}  // namespace stad::testing
