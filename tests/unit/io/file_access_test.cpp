#include "io/file_access.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "support/temporary_directory.hpp"

namespace stad {
namespace {

TEST(AtomicFile, ReplacesWhatWasThereAndLeavesNothingElse) {
  const testing::TemporaryDirectory scratch;
  scratch.write("a", "old and longer");
  ASSERT_TRUE(replace_file(scratch.file("a"), "new"));
  EXPECT_EQ(scratch.read("a"), "new");
  EXPECT_EQ(scratch.files(), 1);
}

TEST(AtomicFile, HasTheUsualPermissions) {
  const testing::TemporaryDirectory scratch;
  const mode_t before = ::umask(027);
  const auto written = replace_file(scratch.file("a"), "x");
  ::umask(before);
  ASSERT_TRUE(written);
  struct stat status {};
  ASSERT_EQ(::stat(scratch.file("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(AtomicFile, RefusesADirectory) {
  const testing::TemporaryDirectory scratch;
  const auto written = replace_file(scratch.path(), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(written.error().message, scratch.path() + ": is a directory, must be a file");
}

TEST(AtomicFile, RefusesAMissingDirectory) {
  const testing::TemporaryDirectory scratch;
  const auto written = replace_file(scratch.file("no/where"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, scratch.file("no/where") + ": No such file or directory");
}

TEST(AtomicFile, KeepsTheOldFileWhenTheDiskIsFull) {
  const testing::TemporaryDirectory scratch;
  scratch.write("a", "old");
  // A limit on file sizes fails a write half-way, as a full disk does.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = replace_file(scratch.file("a"), std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::kFailed);
  EXPECT_EQ(written.error().message, scratch.file("a") + ": File too large");
  EXPECT_EQ(scratch.read("a"), "old");
  EXPECT_EQ(scratch.files(), 1);
}

TEST(AtomicFile, WritesToDevicesAndDoesNotReplaceThem) {
  ASSERT_TRUE(replace_file("/dev/null", "x"));
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(replace_file("/dev/full", "x").error().message, "/dev/full: No space left on device");
}

TEST(AtomicFile, KeepsASymbolicLink) {
  const testing::TemporaryDirectory scratch;
  scratch.write("real", "old");
  std::filesystem::create_symlink("real", scratch.file("link"));
  ASSERT_TRUE(replace_file(scratch.file("link"), "new"));
  EXPECT_EQ(scratch.read("real"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.file("link")));
}

TEST(FileBytes, AreThoseOfTheFile) {
  const testing::TemporaryDirectory scratch;
  EXPECT_EQ(as_text(read_file(scratch.write("a", "hello"))->bytes), "hello");
  EXPECT_EQ(as_text(read_file(scratch.write("b", ""))->bytes), "");
  EXPECT_FALSE(read_file("/proc/self/status")->bytes.empty());
}

TEST(FileBytes, AreRefusedOfDirectoriesAndMissingFiles) {
  const testing::TemporaryDirectory scratch;
  EXPECT_EQ(read_file(scratch.path()).error().message, scratch.path() + ": is a directory, must be a file");
  const auto missing = read_file(scratch.file("x"));
  EXPECT_EQ(missing.error().message, scratch.file("x") + ": No such file or directory");
  EXPECT_EQ(missing.error().kind, ErrorKind::kInvalid);
}

}  // namespace
}  // namespace stad
