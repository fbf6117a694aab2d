#include "cli/command_test.hpp"

namespace stad::testing {
namespace {

class SpeedTest : public CommandTest {
 protected:
  static std::vector<std::string> small(const std::string& method, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"speed", "--method",  method, "--samples", "8", "--dim",
                                       "16",    "--classes", "3",    "--steps",   "5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(SpeedTest, TimesEveryMethodOnEmbeddings) {
  for (const char* method : {"source", "t3a", "lame", "stad-vmf", "stad-gauss", "normalise", "prior", "stad-safe"}) {
    const auto report = json(small(method));
    EXPECT_EQ(report["method"], method);
    EXPECT_EQ(report["samples"], 8);
    EXPECT_EQ(report["dim"], 16);
    EXPECT_EQ(report["classes"], 3);
    EXPECT_EQ(report["steps"], 5);
    for (const char* key : {"median_ms", "p90_ms", "floor_ms", "products_ms", "pass_ms", "pass_gb_s", "ns_per_sample"})
      EXPECT_GT(report.value(key, 0.0), 0) << method << " " << key;
    EXPECT_GE(report["p90_ms"], report["median_ms"]);
    EXPECT_GE(report["floor_ms"], report["pass_ms"]);
    EXPECT_GE(report["floor_ms"], report["products_ms"]);
    EXPECT_TRUE(report["options"].is_object());
    EXPECT_TRUE(report["version"].is_string());
    EXPECT_GE(report["verified"]["batches"], 2);
    EXPECT_LE(report["verified"]["largest_difference"], 1e-4);
    EXPECT_EQ(report["verified"]["samples"], 8);
  }
}

TEST_F(SpeedTest, CountsTheBytesOfTheState) {
  EXPECT_EQ(json(small("source"))["state_bytes"], 0);
  EXPECT_GT(json(small("stad-vmf"))["state_bytes"], 0);
  EXPECT_LT(json(small("stad-vmf", {"-O", "window=0"}))["state_bytes"], json(small("stad-vmf"))["state_bytes"]);
}

TEST_F(SpeedTest, TakesOptionsThreadsAndASeed) {
  const auto report = json(small("stad-vmf", {"-O", "kappa_trans=1000", "--threads", "2", "--seed", "3"}));
  EXPECT_EQ(report["options"]["kappa_trans"], 1000);
  EXPECT_EQ(report["threads"], 2);
}

TEST_F(SpeedTest, SaysThatGaussWasVerifiedOnASmallerShape) {
  const auto report =
      json({"speed", "--method", "stad-gauss", "--samples", "30", "--dim", "40", "--classes", "2", "--steps", "2"});
  EXPECT_EQ(report["verified"]["samples"], 24);
  EXPECT_EQ(report["verified"]["dim"], 32);
  EXPECT_EQ(report["verified"]["classes"], 2);
}

TEST_F(SpeedTest, PrintsAReadableTable) {
  const auto result = stad(small("stad-vmf", {"--threads", "1"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* piece :
       {"stad-vmf, 8 x 16 x 3 (samples x dimensions x classes), 1 thread\n", "Checked 20 batches", "median",
        "90th percentile", "a sample", "state", "products of one E-step", "one pass over the prototypes", "GB/s"})
    EXPECT_NE(result.out.find(piece), std::string::npos) << piece << " in " << result.out;
}

TEST_F(SpeedTest, RejectsBadInput) {
  expect_rejected({"speed", "--method", "magic"}, {"unknown method magic", "stad-vmf", "stad-gauss"});
  expect_rejected({"speed", "--method", "tent"}, {"tent", "on embeddings"});
  expect_rejected({"speed", "--samples", "0"}, {"samples = 0", "must be"});
  expect_rejected({"speed", "--dim", "1"}, {"dim = 1", "must be"});
  expect_rejected({"speed", "--classes", "1"}, {"classes = 1", "must be"});
  expect_rejected({"speed", "--steps", "0"}, {"steps = 0", "must be"});
  expect_rejected({"speed", "--samples", "many"}, {"--samples", "many"});
  expect_rejected({"speed", "--threads", "0"}, {"--threads"});
  expect_rejected({"speed", "-O", "window"}, {"-O window", "key=value"});
  expect_rejected({"speed", "-O", "window=-1"}, {"stad-vmf", "window = -1", "must be"});
  expect_rejected({"speed", "--samples", "1000000", "--dim", "65536"}, {"GB"});
}

}  // namespace
}  // namespace stad::testing
