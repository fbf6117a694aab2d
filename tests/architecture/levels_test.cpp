// The house's one structural rule: a room includes lower levels only, and rooms of one level are strangers. The table
// of levels is what CMake wrote from src/CMakeLists.txt.

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/places.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kHouse = stad::testing::kSourceFolder;

struct Levels {
  std::map<std::string, int> of_room;
  std::map<std::string, std::string> room_of_header;  ///< public headers
};

Levels read_levels() {
  Levels levels;
  std::ifstream file(stad::testing::kLevelsFile);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    int level = 0;
    std::string room, header;
    words >> level >> room;
    levels.of_room[room] = level;
    while (words >> header) levels.room_of_header[header] = room;
  }
  return levels;
}

struct Include {
  std::string target;  ///< "room/file.hpp" or "stad/file.hpp"
  int line = 0;
};

/// What a file includes from this house.
std::vector<Include> includes_of(const fs::path& path) {
  static const std::regex pattern(R"rx(^\s*#\s*include\s*["<]([^">]+)[">])rx");
  std::vector<Include> found;
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    if (std::smatch match; std::regex_search(line, match, pattern)) found.push_back({match[1], number});
  return found;
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (const auto extension = entry.path().extension(); extension == ".cpp" || extension == ".hpp")
      files.push_back(entry.path());
  return files;
}

std::string first_part(const std::string& path) { return path.substr(0, path.find('/')); }
std::string last_part(const std::string& path) { return path.substr(path.find('/') + 1); }

/// The room an include leads to, if it leads into this house.
std::optional<std::string> room_of(const std::string& target, const Levels& levels) {
  if (target.find('/') == std::string::npos) return std::nullopt;
  if (first_part(target) != "stad") {
    if (levels.of_room.contains(first_part(target))) return first_part(target);
    return std::nullopt;
  }
  const auto found = levels.room_of_header.find(last_part(target));
  if (found == levels.room_of_header.end()) return "(no room)";
  return found->second;
}

void expect_lower_levels_only(const std::string& room, const fs::path& file, const Levels& levels) {
  for (const auto& [target, line] : includes_of(file)) {
    const auto other = room_of(target, levels);
    if (!other || *other == room) continue;
    ASSERT_NE(*other, "(no room)") << file << ":" << line << " includes " << target << ", which no room declares";
    EXPECT_LT(levels.of_room.at(*other), levels.of_room.at(room))
        << file << ":" << line << ": room " << room << " must not include " << target << " of room " << *other;
  }
}

TEST(Architecture, EveryRoomIncludesLowerLevelsOnly) {
  const Levels levels = read_levels();
  ASSERT_GE(levels.of_room.size(), 10U);
  int files = 0;
  for (const auto& [room, level] : levels.of_room)
    for (const fs::path& file : sources_below(kHouse / "src" / room)) {
      expect_lower_levels_only(room, file, levels);
      ++files;
    }
  EXPECT_GE(files, 50);
}

TEST(Architecture, EveryPublicHeaderBelongsToARoomAndKeepsItsLevel) {
  const Levels levels = read_levels();
  for (const fs::path& file : sources_below(kHouse / "include" / "stad")) {
    const auto found = levels.room_of_header.find(file.filename());
    ASSERT_NE(found, levels.room_of_header.end()) << file << " is declared by no room in src/CMakeLists.txt";
    expect_lower_levels_only(found->second, file, levels);
  }
}

TEST(Architecture, PublicHeadersShowNothingOfTheInside) {
  const std::set<std::string> hidden{"Eigen", "fmt", "nlohmann", "CLI"};
  const Levels levels = read_levels();
  for (const fs::path& file : sources_below(kHouse / "include" / "stad"))
    for (const auto& [target, line] : includes_of(file)) {
      EXPECT_FALSE(hidden.contains(first_part(target))) << file << ":" << line << " shows " << target;
      EXPECT_FALSE(levels.of_room.contains(first_part(target))) << file << ":" << line << " shows " << target;
    }
}

TEST(Architecture, EveryFolderOfTheSourceIsADeclaredRoom) {
  const Levels levels = read_levels();
  for (const auto& entry : fs::directory_iterator(kHouse / "src"))
    if (entry.is_directory()) {
      EXPECT_TRUE(levels.of_room.contains(entry.path().filename())) << entry.path();
    }
}

TEST(Architecture, ShellsUseTheFrontDoor) {
  const Levels levels = read_levels();
  for (const fs::path& file : sources_below(kHouse / "apps"))
    for (const auto& [target, line] : includes_of(file))
      EXPECT_FALSE(levels.of_room.contains(first_part(target)))
          << file << ":" << line << " includes " << target << "; shells include <stad/...> only";
}

/// Which files may hold a pattern: the others must not.
void expect_only_in(const std::string& what, const std::regex& pattern, const std::set<std::string>& rooms) {
  for (const fs::path& file : sources_below(kHouse / "src")) {
    const std::string room = file.parent_path().filename();
    if (rooms.contains(room)) continue;
    std::ifstream stream(file);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number)
      EXPECT_FALSE(std::regex_search(line, pattern)) << file << ":" << number << ": " << what;
  }
}

TEST(Architecture, OnlyIoOpensFilesAndOnlyPipelineAndSpeedReadTheClock) {
  expect_only_in("only io opens files", std::regex(R"(\b(fopen|ifstream|ofstream)\b|(^|[^\w:])::open\()"), {"io"});
  expect_only_in("only pipeline and speed read the clock", std::regex(R"(std::chrono|\bclock_gettime\b)"),
                 {"pipeline", "speed"});
  expect_only_in("the library never prints",
                 std::regex(R"(std::(cout|cerr|clog)|\bf?(printf|puts|putc)\s*\(|fmt::print)"), {});
}

}  // namespace
