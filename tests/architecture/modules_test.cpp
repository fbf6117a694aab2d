// Modules may include only modules that they declare in DEPENDS. CMake writes the table of modules
// (cmake/StadModules.cmake); every #include of src, eval, torch and apps is checked against it.

#include <algorithm>
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

const fs::path kRoot = stad::testing::kSourceFolder;
const std::vector<std::string> kFolders{"src", "eval", "torch", "apps"};

struct Module {
  std::string name;  ///< as includes begin, such as "adapt" or "server/http"
  fs::path folder;   ///< relative to the source tree
  std::set<std::string> headers, depends;
};

using Modules = std::map<std::string, Module>;

std::set<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

Modules read_modules() {
  static const std::regex pattern(R"rx(^(\S+) (\S+) \|([^|]*)\|([^|]*)$)rx");
  Modules modules;
  std::ifstream file(stad::testing::kModulesFile);
  std::string line;
  while (std::getline(file, line)) {
    std::smatch match;
    if (!std::regex_match(line, match, pattern)) throw std::runtime_error("not a row of the module table: " + line);
    modules[match[1]] = {match[1], match[2].str(), words_of(match[3]), words_of(match[4])};
  }
  return modules;
}

struct Include {
  std::string target;  ///< "module/file.hpp" or "stad/file.hpp"
  int line = 0;
};

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

bool is_public(const std::string& target) { return target.starts_with("stad/"); }
bool is_app(const Module& module) { return module.folder.string().starts_with("apps/"); }

/// The module whose folder the file lies in: the longest that matches.
const Module* module_of(const fs::path& file, const Modules& modules) {
  const std::string folder = fs::relative(file.parent_path(), kRoot).string();
  const Module* best = nullptr;
  for (const auto& [name, module] : modules)
    if (folder == module.folder.string() && (!best || best->folder.string().size() < folder.size())) best = &module;
  return best;
}

/// The module an include belongs to; none for headers of other projects.
std::optional<std::string> target_module(const std::string& target, const Modules& modules) {
  if (is_public(target)) {
    for (const auto& [name, module] : modules)
      if (module.headers.contains(target.substr(5))) return name;
    return "(none)";
  }
  const std::string folder = target.substr(0, std::min(target.rfind('/'), target.size()));
  if (!modules.contains(folder)) return std::nullopt;
  return fs::exists(kRoot / modules.at(folder).folder / fs::path(target).filename()) ? std::optional(folder)
                                                                                       : std::nullopt;
}

/// Apps see the public headers of libstad without further ado, and those of libstad-eval if they depend on it.
bool may_include(const Module& module, const std::string& target, const std::string& other, const Modules& modules) {
  if (other == module.name || module.depends.contains(other)) return true;
  if (!is_app(module) || !is_public(target)) return false;
  return !modules.at(other).folder.string().starts_with("eval/") || module.depends.contains("eval");
}

void expect_declared(const Module& module, const fs::path& file, const Modules& modules) {
  for (const auto& [target, line] : includes_of(file)) {
    const auto other = target_module(target, modules);
    if (!other) continue;
    ASSERT_NE(*other, "(none)") << file << ":" << line << " includes " << target << ", which no module declares";
    EXPECT_TRUE(may_include(module, target, *other, modules))
        << file << ":" << line << ": module " << module.name << " includes " << target << " of module " << *other
        << ", which is not in its DEPENDS";
  }
}

TEST(Modules, IncludeOnlyModulesTheyDependOn) {
  const Modules modules = read_modules();
  std::size_t files = 0;
  for (const std::string& folder : kFolders)
    for (const fs::path& file : sources_below(kRoot / folder)) {
      const Module* module = module_of(file, modules);
      // Parts that this build leaves out (the service, the cluster) declare no modules.
      if (!module && folder == "apps") continue;
      ASSERT_TRUE(module) << file << " lies in no declared module";
      expect_declared(*module, file, modules);
      ++files;
    }
  EXPECT_GE(files, 200U);
}

/// A module that is reached again from itself, if there is one.
std::string find_cycle(const std::string& name, const Modules& modules, std::set<std::string>& open,
                       std::set<std::string>& done) {
  if (done.contains(name) || !modules.contains(name)) return {};
  if (!open.insert(name).second) return name;
  for (const std::string& next : modules.at(name).depends)
    if (auto cycle = find_cycle(next, modules, open, done); !cycle.empty()) return cycle;
  open.erase(name);
  done.insert(name);
  return {};
}

TEST(Modules, DependOnEachOtherWithoutCycles) {
  const Modules modules = read_modules();
  std::set<std::string> open, done;
  for (const auto& [name, module] : modules) EXPECT_EQ(find_cycle(name, modules, open, done), "");
}

/// Sources of the module, its public headers among them.
std::vector<fs::path> sources_of(const Module& module, const Modules& modules) {
  std::vector<fs::path> files;
  for (const fs::path& file : sources_below(kRoot / module.folder))
    if (module_of(file, modules) == &module) files.push_back(file);
  for (const std::string& header : module.headers) files.push_back(kRoot / "include" / "stad" / header);
  return files;
}

std::set<std::string> used_modules(const Module& module, const Modules& modules) {
  std::set<std::string> used;
  for (const fs::path& file : sources_of(module, modules))
    for (const auto& [target, line] : includes_of(file))
      if (const auto other = target_module(target, modules); other && *other != "(none)") {
        used.insert(*other);
        if (modules.at(*other).folder.string().starts_with("eval/")) used.insert("eval");
      }
  return used;
}

TEST(Modules, DependOnlyOnModulesTheyUse) {
  const Modules modules = read_modules();
  for (const auto& [name, module] : modules) {
    const std::set<std::string> used = used_modules(module, modules);
    for (const std::string& other : module.depends)
      EXPECT_TRUE(used.contains(other)) << name << " declares " << other << " in DEPENDS and includes nothing of it";
  }
}

TEST(Modules, OwnEveryPublicHeader) {
  const Modules modules = read_modules();
  for (const fs::path& file : sources_below(kRoot / "include" / "stad")) {
    const std::string target = fs::relative(file, kRoot / "include").string();
    const auto owner = target_module(target, modules);
    ASSERT_NE(owner, "(none)") << file << " is declared by no module";
    expect_declared(modules.at(*owner), file, modules);
  }
}

TEST(PublicHeaders, IncludeNoThirdPartyHeadersAndNoInternalOnes) {
  const std::set<std::string> hidden{"Eigen", "fmt", "nlohmann", "CLI"};
  const Modules modules = read_modules();
  for (const fs::path& file : sources_below(kRoot / "include" / "stad"))
    for (const auto& [target, line] : includes_of(file)) {
      EXPECT_FALSE(hidden.contains(target.substr(0, target.find('/')))) << file << ":" << line << ": " << target;
      EXPECT_TRUE(is_public(target) || !target_module(target, modules)) << file << ":" << line << ": " << target;
    }
}

TEST(PublicHeaders, OfTheRuntimeAreFew) {
  int headers = 1;  // version.hpp is generated
  for (const auto& entry : fs::directory_iterator(kRoot / "include" / "stad")) headers += entry.is_regular_file();
  EXPECT_LE(headers, 16);
}

TEST(PublicHeaders, OfTheRuntimeIncludeNothingOfTheEvaluation) {
  for (const auto& entry : fs::directory_iterator(kRoot / "include" / "stad"))
    if (entry.is_regular_file())
      for (const auto& [target, line] : includes_of(entry.path())) {
        EXPECT_FALSE(target.starts_with("stad/eval/")) << entry.path() << ":" << line;
      }
}

/// Fails for every line of `folders` that matches outside of the named folders.
void expect_only_in(const std::string& rule, const std::regex& pattern, const std::set<std::string>& allowed) {
  for (const char* folder : {"src", "eval", "torch"})
    for (const fs::path& file : sources_below(kRoot / folder)) {
      if (allowed.contains(fs::relative(file.parent_path(), kRoot).string())) continue;
      std::ifstream stream(file);
      std::string line;
      for (int number = 1; std::getline(stream, line); ++number)
        EXPECT_FALSE(std::regex_search(line, pattern)) << file << ":" << number << ": " << rule;
    }
}

TEST(Libraries, OpenFilesInIoReadTheClockInTheEvaluationAndNeverPrint) {
  expect_only_in("only io opens files", std::regex(R"(\b(fopen|ifstream|ofstream)\b|(^|[^\w:])::open\()"), {"src/io"});
  expect_only_in("only pipeline and speed read the clock", std::regex(R"(std::chrono|\bclock_gettime\b)"),
                 {"eval/pipeline", "eval/speed"});
  expect_only_in("the libraries never print",
                 std::regex(R"(std::(cout|cerr|clog)|\bf?(printf|puts|putc)\s*\(|fmt::print)"), {});
}

/// Types by the file and line of their definition.
std::map<std::string, std::set<std::string>> type_definitions() {
  static const std::regex pattern(R"rx(^\s*(?:struct|class|enum class)\s+(?:STAD_API\s+)?(\w+)(?:\s+final)?\s*(?::[^:;][^;]*)?\{)rx");
  std::map<std::string, std::set<std::string>> places;
  for (const char* folder : {"include", "src", "eval", "torch", "apps"})
    for (const fs::path& file : sources_below(kRoot / folder)) {
      std::ifstream stream(file);
      std::string line;
      for (int number = 1; std::getline(stream, line); ++number)
        if (std::smatch match; std::regex_search(line, match, pattern) && line.find("  ") != 0)
          places[match[1]].insert(file.string() + ":" + std::to_string(number));
    }
  return places;
}

TEST(Types, HaveNamesOfTheirOwn) {
  for (const auto& [name, places] : type_definitions()) {
    std::string list;
    for (const std::string& place : places) list += "\n  " + place;
    EXPECT_EQ(places.size(), 1U) << name << " is defined more than once:" << list;
  }
}

}  // namespace
