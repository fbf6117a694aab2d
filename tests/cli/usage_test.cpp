#include <regex>

#include "cli/command_test.hpp"

namespace stad::testing {
namespace {

using UsageTest = CommandTest;

TEST_F(UsageTest, EveryCommandExplainsItselfWithAnExample) {
  for (const char* command : {"adapt", "card", "demo", "fit", "simulate", "speed", "methods", "inspect"}) {
    const auto result = stad({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.out.find(std::string("Example: stad ") + command), std::string::npos) << result.out;
  }
  EXPECT_NE(stad({"--help"}).out.find("adapt"), std::string::npos);
}

TEST_F(UsageTest, TheManualNamesEveryOptionOfTheHelp) {
  const std::regex option("--[a-z][a-z0-9-]*");
  for (const char* command : {"adapt", "bench", "card", "corrupt", "fit", "simulate", "inspect"}) {
    const auto help = stad({command, "--help"}).out;
    const auto page = std::regex_replace(stad({"manual", command}).out, std::regex(R"(\\-)"), "-");
    EXPECT_EQ(page.rfind(std::string(".TH stad-") + command, 0), 0U) << page;
    for (auto found = std::sregex_iterator(help.begin(), help.end(), option); found != std::sregex_iterator(); ++found)
      EXPECT_NE(page.find(found->str()), std::string::npos) << found->str() << " of " << command;
  }
  expect_rejected({"manual", "nosuch"}, {"nosuch", "stad --help"});
}

TEST_F(UsageTest, TheManualOfAProgramOfItsOwnSaysWhatItNeedsAndWhereItsOptionsAre) {
  for (const char* command : {"cluster", "publish", "serve", "subscribe", "worker"}) {
    const auto page = std::regex_replace(stad({"manual", command}).out, std::regex(R"(\\-)"), "-");
    EXPECT_EQ(page.rfind(std::string(".TH stad-") + command, 0), 0U) << page;
    EXPECT_TRUE(std::regex_search(page, std::regex(std::string("Options: stad ") + command + "( status)? --help")))
        << page;
    EXPECT_NE(page.find(std::string(".SH EXAMPLES\n.nf\nstad ") + command), std::string::npos) << page;
  }
  EXPECT_NE(stad({"manual", "publish"}).out.find("[\\fIoptions\\fR] \\fIfile\\fR"), std::string::npos);
  EXPECT_NE(stad({"manual", "cluster"}).out.find("[\\fIoptions\\fR] \\fIcommand\\fR"), std::string::npos);
}

TEST_F(UsageTest, SaysItsVersion) {
  const auto result = stad({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.rfind("stad ", 0), 0U);
}

TEST_F(UsageTest, RejectsWhatItDoesNotKnow) {
  expect_rejected({}, {"--help"});
  expect_rejected({"adopt"}, {"stad --help"});
  expect_rejected({"adapt", "--method", "source", "--stream", "a.npz", "--colour", "red"},
                  {"--colour", "adapt --help"});
  expect_rejected({"adapt", "--method", "source"}, {"--stream"});
  expect_rejected({"adapt", "--method", "source", "--stream", "a.npz", "--order", "upwards"}, {"--order", "upwards"});
  expect_rejected({"simulate", "--out", "a.npz", "--drift", "sideways"}, {"--drift", "sideways"});
}

TEST_F(UsageTest, RejectsAnOptionWithoutEqualsSign) {
  simulate("s.npz");
  expect_rejected({"adapt", "--method", "t3a", "--stream", "s.npz", "-O", "supports"}, {"-O supports", "key=value"});
}

TEST_F(UsageTest, NamesAFileThatIsNotThere) {
  expect_rejected({"adapt", "--method", "source", "--stream", "nowhere.npz", "--out", "o.npz"}, {"nowhere.npz"});
  expect_rejected({"inspect", "nowhere.npz"}, {"nowhere.npz"});
  expect_rejected({"fit", "--features", "nowhere.npz", "--out", "o.npz"}, {"nowhere.npz"});
}

TEST_F(UsageTest, RejectsAnOutputWhoseDirectoryDoesNotExistBeforeTheRun) {
  simulate("s.npz");
  expect_rejected({"adapt", "--method", "source", "--stream", "s.npz", "--out", "no/o.npz"},
                  {"--out no/o.npz", "directory no"});
  expect_rejected({"adapt", "--method", "source", "--stream", "s.npz", "--state-out", "no/o"}, {"--state-out no/o"});
  expect_rejected({"demo", "--out", "no/page.html"}, {"--out no/page.html"});
  expect_rejected({"simulate", "--out", "."}, {"is a directory"});
}

TEST_F(UsageTest, NeverReplacesItsInput) {
  simulate("s.npz");
  const auto before = directory.read("s.npz");
  expect_rejected({"adapt", "--method", "source", "--stream", "s.npz", "--out", "./s.npz"},
                  {"is the same file as", "must be another file"});
  expect_rejected({"fit", "--features", "s.npz", "--out", "s.npz"}, {"is the same file as", "must be another file"});
  EXPECT_EQ(directory.read("s.npz"), before);
}

TEST_F(UsageTest, ListsEveryMethodWithItsOptions) {
  const auto list = json({"methods"});
  std::vector<std::string> names;
  for (const auto& method : list["methods"]) names.push_back(method["name"]);
  for (const char* name : {"source", "t3a", "lame", "stad-vmf", "stad-gauss", "normalise", "prior", "stad-safe"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  for (const auto& method : list["methods"])
    for (const auto& option : method["options"])
      for (const char* key : {"name", "default", "rule", "summary"}) EXPECT_TRUE(option.contains(key));
  EXPECT_NE(stad({"methods"}).out.find("kappa_trans = 100"), std::string::npos);
}

TEST_F(UsageTest, SaysHowTheClassifierOfAStateStands) {
  simulate("s.npz");
  stad({"adapt", "--stream", "s.npz", "--state-out", "t.state", "--quiet"});
  const auto health = json({"inspect", "t.state", "--source", "s.npz"})["health"];
  EXPECT_EQ(health["movement"].size(), 3U);
  EXPECT_EQ(health["guard"]["answers"], "source");
  EXPECT_TRUE(health["dispersion"].is_number());
  EXPECT_FALSE(json({"inspect", "t.state"}).contains("health"));
  const auto text = stad({"inspect", "t.state", "--source", "s.npz"}).out;
  EXPECT_NE(text.find("degrees from the source"), std::string::npos) << text;
  EXPECT_NE(text.find("guard: the source answers: labels do not persist"), std::string::npos) << text;
  expect_rejected({"inspect", "s.npz", "--source", "s.npz"}, {"s.npz", "is not a state", "--source"});
}

TEST_F(UsageTest, InspectsEveryKindOfFile) {
  simulate("s.npz");
  EXPECT_EQ(stad({"adapt", "--method", "t3a", "--stream", "s.npz", "--state-out", "t.state", "--quiet"}).out, "");
  const auto stream = json({"inspect", "s.npz"});
  EXPECT_EQ(stream["format"], "npz");
  EXPECT_EQ(stream["usable_as"], nlohmann::json({"source", "stream"}));
  EXPECT_GT(stream["card"]["accuracy"], 0.5);
  EXPECT_EQ(stream["card"]["means"], true);
  EXPECT_NE(stad({"inspect", "s.npz"}).out.find("card: accuracy "), std::string::npos);
  const auto state = json({"inspect", "t.state"});
  EXPECT_EQ(state["format"], "state");
  EXPECT_EQ(state["facts"]["method"], "t3a");
  EXPECT_EQ(state["facts"]["supports"], "100");
  directory.write("a.csv", "x,y,label\n1,2,0\n3,4,1\n");
  EXPECT_EQ(json({"inspect", "a.csv"})["format"], "csv");
  EXPECT_TRUE(json({"inspect", "a.csv"})["facts"].contains("header"));
  EXPECT_NE(stad({"inspect", "s.npz"}).out.find("600 x 8"), std::string::npos);
}

TEST_F(UsageTest, PrintsNoColourIntoAFile) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"methods"}, {"--help"}})
    EXPECT_EQ(stad(arguments).out.find('\033'), std::string::npos);
}

TEST_F(UsageTest, RejectsEmptyValuesAndUnknownCommands) {
  simulate("s.npz");
  expect_rejected({"adapt", "--method", "source", "--stream", "s.npz", "--state-in", ""},
                  {"after --state-in", "empty"});
  expect_rejected({"adapt", "--method", "source", "--stream", "s.npz", "--since="}, {"--since=", "no value"});
  expect_rejected({"nosuch"}, {"unknown command nosuch"});
}

}  // namespace
}  // namespace stad::testing
