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

#include "bench/plan/fingerprint.hpp"
#include "common/error.hpp"

namespace stad::cli::bench {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

void add_file(const std::string& path, Fingerprint& print) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  if (content.empty()) throw AppError{failed(fmt::format("{}: cannot be read", path))};
  print.add(std::as_bytes(std::span(content)));
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
  Fingerprint print;
  add_file("/proc/self/exe", print);
  add_file(library.dli_fname, print);
  return fmt::format("{:016x}", print.value());
}

std::string component_fingerprint(const Backbone& network) {
  Dl_info library{};
  dladdr(&typeid(network), &library);  // the description of its type lies where the type does
  return fmt::format("{:016x}", file_fingerprint(library.dli_fname));
}

std::uint64_t file_fingerprint(const std::string& path) {
  Fingerprint print;
  add_file(path, print);
  return print.value();
}

}  // namespace stad::cli::bench
