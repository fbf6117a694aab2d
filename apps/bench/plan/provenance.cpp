#include "bench/plan/provenance.hpp"

#include <dlfcn.h>
#include <sys/utsname.h>

#include <fstream>
#include <iterator>
#include <span>
#include <thread>
#include <typeinfo>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "common/error.hpp"

namespace stad::cli::bench {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

void add_file(const std::string& path, ContentHash& hash) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  if (content.empty()) throw AppError{failed(fmt::format("{}: cannot be read", path))};
  hash.add(std::as_bytes(std::span(content)));
}

}  // namespace

const std::string& machine_name() {
  static const std::string name = [] {
    utsname system{};
    uname(&system);
    return fmt::format("{}, {} threads, {} {} {}", processor_name(), std::thread::hardware_concurrency(),
                       system.sysname, system.release, system.machine);
  }();
  return name;
}

std::string program_fingerprint() {
  Dl_info library{};
  dladdr(reinterpret_cast<const void*>(&stad::methods), &library);
  ContentHash hash;
  add_file("/proc/self/exe", hash);
  add_file(library.dli_fname, hash);
  return fmt::format("{:016x}", hash.value());
}

std::string component_fingerprint(const Backbone& network) {
  Dl_info library{};
  dladdr(&typeid(network), &library);  // its type_info is in the library that defines the type
  return fmt::format("{:016x}", file_fingerprint(library.dli_fname));
}

std::uint64_t file_fingerprint(const std::string& path) {
  ContentHash hash;
  add_file(path, hash);
  return hash.value();
}

}  // namespace stad::cli::bench
