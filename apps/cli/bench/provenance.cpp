#include "provenance.hpp"

#include <dlfcn.h>
#include <sys/utsname.h>

#include <fstream>
#include <iterator>
#include <span>
#include <thread>

#include <fmt/format.h>

#include <stad/methods.hpp>

#include "fingerprint.hpp"

namespace stad::cli::bench {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

}  // namespace

std::string machine_name() {
  utsname system{};
  uname(&system);
  return fmt::format("{}, {} threads, {} {} {}", processor_name(), std::thread::hardware_concurrency(), system.sysname,
                     system.release, system.machine);
}

std::string library_fingerprint() {
  Dl_info place{};
  if (dladdr(reinterpret_cast<const void*>(&stad::methods), &place) == 0 || !place.dli_fname) return "unknown";
  std::ifstream file(place.dli_fname, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  Fingerprint print;
  print.add(std::as_bytes(std::span(content)));
  return fmt::format("{:016x}", print.value());
}

}  // namespace stad::cli::bench
