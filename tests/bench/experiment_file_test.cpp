#include <algorithm>
#include <filesystem>
#include <map>

#include <stad/methods.hpp>

#include "bench/plan/experiment.hpp"
#include "bench_test.hpp"
#include "support/places.hpp"

namespace stad::testing {
namespace {

using namespace cli::bench;

class ExperimentFile : public BenchTest {
 protected:
  std::string rejection(const std::string& text) const {
    return error_message([&] { experiment(text); });
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
method = "source"
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

TEST_F(ExperimentFile, RejectsUnknownKeysWithTheirLine) {
  EXPECT_EQ(rejection("title = \"x\"\ncolour = 3\n" + start()),
            "experiment.toml:2: unknown key colour in an experiment, must be one of alone, methods, name, paper, "
            "paper_figures, projection, report, settings, streams, text, through_network, time_limit, title");
  EXPECT_NE(rejection(start() + "supports = 3\n").find("experiment.toml:15: unknown key supports in [[methods]]"),
            std::string::npos);
}

TEST_F(ExperimentFile, RejectsWhatIsNotTomlWithItsLine) {
  EXPECT_EQ(rejection("title = \"x\"\n[[streams\n").rfind("experiment.toml:2: ", 0), 0U);
}

TEST_F(ExperimentFile, RejectsEmptyGridsAndLists) {
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"t3a\"\ngrid = { supports = [] }\n"),
            "experiment.toml:17: grid supports is empty, must have at least one value");
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"t3a\"\ngrid = {}\n"),
            "experiment.toml:17: grid is empty, must have at least one option");
  EXPECT_EQ(rejection("[[streams]]\nname = \"x\"\nfiles = []\n"),
            "experiment.toml:3: files is empty, must name at least one file");
}

TEST_F(ExperimentFile, RejectsValuesOfAnotherKind) {
  EXPECT_EQ(rejection("time_limit = \"long\"\n" + start()),
            "experiment.toml:1: time_limit is a text, must be a finite number");
  EXPECT_EQ(rejection("[[streams]]\nname = 3\n"), "experiment.toml:2: name is an integer, must be a text");
  EXPECT_EQ(rejection("report = [\"accuracy\", \"pie\"]\n" + start()),
            "experiment.toml:1: report is pie, must be one of accuracy, gains, time-steps, over-time, batch-sizes, "
            "sweep, fidelity, health, runtime, projection");
}

TEST_F(ExperimentFile, RejectsWhatNoParserShouldMeet) {
  std::string key = "a";
  for (int i = 0; i < 300'000; ++i) key += ".a";
  EXPECT_EQ(rejection("title = \"x\"\n" + key + " = 1\n"),
            "experiment.toml:2: has 600005 bytes in a line, must have at most 100000");
  EXPECT_EQ(rejection("title = \"\u00b5 '\" # \u00b5\ntext = '''\u00b5\n\"'''\n\u041c = 1\n"),
            "experiment.toml:4: has a letter beyond ASCII outside quotes, must have it inside");
  EXPECT_EQ(rejection("time_limit = []\n" + start()), "experiment.toml:1: time_limit is a list, must be one number");
  EXPECT_EQ(rejection("time_limit = nan\n" + start()), "experiment.toml:1: time_limit is nan, must be a finite number");
}

TEST_F(ExperimentFile, RejectsGridsOfTooManyPoints) {
  std::string values = "[1";
  for (int i = 2; i <= 200; ++i) values += ", " + std::to_string(i);
  const std::string grid = "grid = { kappa_ems = " + values + "], kappa_trans = " + values + "] }\n";
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"stad-vmf\"\n" + grid),
            "experiment.toml:15: grid has 40000 points, must have at most 10000");
}

TEST_F(ExperimentFile, RejectsNamesThatMeanNothing) {
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"t3a\"\nsettings = [\"shuffled\"]\n"),
            "experiment.toml:15: setting shuffled is not part of this experiment, must be one of mixed, sorted");
  EXPECT_EQ(rejection(start() + "[paper_figures.simulated.mixed]\nBN = 3\n"),
            "experiment.toml:16: method BN is not part of this experiment, must be one of source");
}

TEST_F(ExperimentFile, RejectsTwoEntriesForOneCell) {
  EXPECT_EQ(rejection(start() + "[[methods]]\nname = \"t3a\"\ntitle = \"source\"\n"),
            "experiment.toml:15: method source is defined twice for simulated, mixed; must have a unique title");
}

TEST_F(ExperimentFile, RejectsWhatWouldCountTwice) {
  EXPECT_EQ(rejection(start() + "[[settings]]\nname = \"again\"\nbatch_size = 5\nseeds = [0, 3, 0]\n"),
            "experiment.toml:15: seeds names 0 twice, must name it once");
}

TEST_F(ExperimentFile, RejectsToFollowPrototypesAcrossSteps) {
  EXPECT_EQ(rejection("report = [\"fidelity\"]\n" + start() +
                      "[[settings]]\nname = \"across\"\nbatch_size = 5\nacross_steps = true\n"),
            "experiment.toml:16: across_steps excludes fidelity and projection, which need batches of one time step");
}

TEST_F(ExperimentFile, RejectsFiguresOfValuesThatAreNotSwept) {
  const std::string swept =
      "report = [\"sweep\"]\n" + start() + "[[methods]]\nname = \"t3a\"\nsweep = { supports = [1] }\n";
  EXPECT_EQ(rejection(swept + "[paper_figures.simulated.mixed]\nt3a = { \"suports = 1\" = 80 }\n"),
            "experiment.toml:20: detail suports = 1 is not part of this experiment, must be one of , supports = 1");
}

std::vector<Experiment> shipped() {
  std::vector<Experiment> experiments;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(kSourceFolder) + "/experiments"))
    if (entry.path().extension() == ".toml") experiments.push_back(read_experiment(entry.path()));
  return experiments;
}

bool has_option(const std::string& method, const std::string& option) {
  for (const auto& list : {methods(), network_methods()})
    for (const MethodInfo& info : list)
      if (info.name == method)
        return std::any_of(info.options.begin(), info.options.end(),
                           [&](const OptionInfo& known) { return known.name == option; });
  return false;
}

TEST_F(ExperimentFile, EveryShippedExperimentHasOptionsThatExist) {
  // Most of their data is not available, so that no other test covers their options.
  const auto head = *read_source(path("network0.npz"));
  EXPECT_GE(shipped().size(), 19U);
  for (const Experiment& experiment : shipped())
    for (const MethodSpec& method : experiment.methods)
      for (const OptionRange& range : method.ranges()) {
        EXPECT_TRUE(has_option(method.name, range.name)) << range.place.text();
        for (const std::string& value : range.values) {
          if (method.adapts_network) continue;  // what its values may be, only a network tells
          const auto adapter = make_adapter(method.name, head, {{range.name, value}});
          EXPECT_TRUE(adapter) << range.place.text() << ": " << adapter.error().message;
        }
      }
}

TEST_F(ExperimentFile, ShippedExperimentsAgreeOnWhatAStreamIs) {
  std::map<std::pair<std::string, bool>, StreamSpec> known;  // by its images and by their embeddings
  for (const Experiment& experiment : shipped())
    for (const StreamSpec& stream : experiment.streams) {
      const StreamSpec& first = known.try_emplace({stream.name, stream.has_images()}, stream).first->second;
      EXPECT_EQ(first.files, stream.files) << stream.place.text();
      EXPECT_EQ(first.images, stream.images) << stream.place.text();
      EXPECT_EQ(first.since, stream.since) << stream.place.text();
      EXPECT_EQ(first.until, stream.until) << stream.place.text();
      EXPECT_EQ(first.about, stream.about) << stream.place.text();
    }
}

}  // namespace
}  // namespace stad::testing
