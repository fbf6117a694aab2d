#include "server/console/console_files.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace stad::server {
namespace {

const ConsoleFile* file_at(std::string_view path) {
  const auto files = console_files();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const ConsoleFile& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

std::string inflated(std::string_view bytes, std::size_t size) {
  std::string out(size + 1, '\0');  // one more, so that longer content is seen
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);  // 16: of gzip
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

class ConsoleFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (console_files().empty()) GTEST_SKIP() << "SKIPPED, built without the page (STAD_CONSOLE=OFF)";
  }
};

TEST_F(ConsoleFiles, HoldThePageAndEverythingItRefersTo) {
  const ConsoleFile* page = file_at("/");
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->content_type, "text/html; charset=utf-8");
  const std::string text(page->content);
  int assets = 0;
  for (std::size_t at = text.find("\"./assets/"); at != std::string::npos; at = text.find("\"./assets/", at + 1)) {
    const std::string path = text.substr(at + 2, text.find('"', at + 1) - at - 2);
    EXPECT_NE(file_at(path), nullptr) << path;
    ++assets;
  }
  EXPECT_GE(assets, 3);  // script, style, icon
}

TEST_F(ConsoleFiles, AreTheSameWhenUncompressed) {
  for (const ConsoleFile& file : console_files())
    EXPECT_TRUE(inflated(file.gzip, file.content.size()) == file.content) << file.path;
}

TEST_F(ConsoleFiles, HaveNothingInline) {
  const std::string_view page = file_at("/")->content;
  EXPECT_EQ(page.find("<style"), std::string_view::npos);
  EXPECT_EQ(page.find("style="), std::string_view::npos);
  EXPECT_EQ(page.find("<script>"), std::string_view::npos);
}

TEST_F(ConsoleFiles, AreSmallEnoughForAPhone) {
  std::size_t sent = 0;
  for (const ConsoleFile& file : console_files()) sent += file.gzip.size();
  EXPECT_LT(sent, 60'000U);
}

}  // namespace
}  // namespace stad::server
