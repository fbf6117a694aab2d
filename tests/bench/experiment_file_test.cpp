#include "bench/experiment.hpp"
#include "bench_test.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

class ExperimentFile : public BenchTest {
 protected:
  std::string refusal(const std::string& text) const {
    return complaint([&] { experiment(text); });
  }
};

TEST_F(ExperimentFile, ReadsEveryPart) {
  const Experiment read = experiment(R"(
title = "A title"
paper = "Table 2"
report = ["accuracy", "over-time", "projection"]
time_limit = 5
alone = true
)" + start() + R"(
[[methods]]
name = "t3a"
title = "T3A"
group = "adapt the classifier"
grid = { supports = [1, "all"] }
settings = ["sorted"]
[[methods]]
name = "stad-vmf"
options = { dynamics = false, kappa_ems = 12.5 }
sweep = { window = [3, 5] }
protocol = "best with labels"
[projection]
stream = "simulated"
setting = "mixed"
method = "T3A"
time = 2
[paper_figures.simulated.sorted]
T3A = [83.4, 1.5]
[paper_figures.simulated.mixed]
stad-vmf = { "window = 3" = 80 }
)");
  EXPECT_EQ(read.name, "experiment");
  EXPECT_EQ(read.title, "A title");
  EXPECT_TRUE(read.alone);
  EXPECT_EQ(read.time_limit, 5);
  ASSERT_EQ(read.methods.size(), 3U);
  EXPECT_EQ(read.methods[1].grid.front().values, (std::vector<std::string>{"1", "all"}));
  EXPECT_EQ(read.methods[2].options[0].values.front(), "off");
  EXPECT_EQ(read.methods[2].options[1].values.front(), "12.5");
  EXPECT_EQ(read.methods[2].sweep->values.size(), 2U);
  EXPECT_EQ(read.methods[2].protocol, Protocol::kBestWithLabels);
  EXPECT_EQ(read.settings[1].seeds, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(read.published({"simulated", "sorted", "T3A", ""})->deviation, 1.5);
  EXPECT_EQ(read.published({"simulated", "mixed", "stad-vmf", "window = 3"})->mean, 80);
  EXPECT_FALSE(applies(read.methods[1], read.streams[0], read.settings[0]));
}

TEST_F(ExperimentFile, RefusesUnknownKeysWithTheirLine) {
  EXPECT_EQ(refusal("title = \"x\"\ncolour = 3\n" + start()),
            "experiment.toml:2: unknown key colour in an experiment, must be one of alone, methods, name, paper, "
            "paper_figures, projection, report, settings, streams, text, time_limit, title");
  EXPECT_NE(refusal(start() + "supports = 3\n").find("experiment.toml:15: unknown key supports in [[methods]]"),
            std::string::npos);
}

TEST_F(ExperimentFile, RefusesWhatIsNotTomlWithItsLine) {
  EXPECT_EQ(refusal("title = \"x\"\n[[streams\n").rfind("experiment.toml:2: ", 0), 0U);
}

TEST_F(ExperimentFile, RefusesEmptyGridsAndLists) {
  EXPECT_EQ(refusal(start() + "[[methods]]\nname = \"t3a\"\ngrid = { supports = [] }\n"),
            "experiment.toml:17: grid supports is empty, must have at least one value");
  EXPECT_EQ(refusal(start() + "[[methods]]\nname = \"t3a\"\ngrid = {}\n"),
            "experiment.toml:17: grid is empty, must have at least one option");
  EXPECT_EQ(refusal("[[streams]]\nname = \"x\"\nfiles = []\n"),
            "experiment.toml:3: files is empty, must name at least one file");
}

TEST_F(ExperimentFile, RefusesValuesOfAnotherKind) {
  EXPECT_EQ(refusal("time_limit = \"long\"\n" + start()),
            "experiment.toml:1: time_limit is a text, must be a finite number");
  EXPECT_EQ(refusal("[[streams]]\nname = 3\n"), "experiment.toml:2: name is an integer, must be a text");
  EXPECT_EQ(refusal("report = [\"accuracy\", \"pie\"]\n" + start()),
            "experiment.toml:1: report is pie, must be one of accuracy, time-steps, over-time, batch-sizes, sweep, "
            "fidelity, runtime, projection");
}

TEST_F(ExperimentFile, RefusesNamesThatMeanNothing) {
  EXPECT_EQ(refusal(start() + "[[methods]]\nname = \"t3a\"\nsettings = [\"shuffled\"]\n"),
            "experiment.toml:15: setting shuffled is not of this experiment, must be one of mixed, sorted");
  EXPECT_EQ(refusal(start() + "[paper_figures.simulated.mixed]\nBN = 3\n"),
            "experiment.toml:1: paper_figures: method BN is not of this experiment, must be one of source");
}

TEST_F(ExperimentFile, RefusesTwoEntriesForOneCell) {
  EXPECT_EQ(refusal(start() + "[[methods]]\nname = \"t3a\"\ntitle = \"source\"\n"),
            "experiment.toml:15: method source is there already for simulated, mixed; must have a title of its own");
}

TEST_F(ExperimentFile, EveryShippedExperimentIsRead) {
  for (const auto& entry : std::filesystem::directory_iterator(STAD_SOURCE_DIR "/experiments"))
    EXPECT_EQ(complaint([&] { read_experiment(entry.path()); }), "") << entry.path();
}

}  // namespace
}  // namespace stad::testing
