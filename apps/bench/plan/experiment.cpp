#include "bench/plan/experiment.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stad::cli::bench {
namespace {

bool names(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

const char* name_of(Order order) {
  if (order == Order::kAsIs) return "as-is";
  return order == Order::kSorted ? "sorted" : "mixed";
}

bool Experiment::shows(Exhibit exhibit) const {
  return std::find(exhibits.begin(), exhibits.end(), exhibit) != exhibits.end();
}

const PaperFigure* Experiment::published(const PaperCell& cell) const {
  const auto found = paper_figures.find(cell);
  return found == paper_figures.end() ? nullptr : &found->second;
}

bool meets(const SettingSpec& setting, const StreamSpec& stream) { return names(setting.streams, stream.name); }

bool applies(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting) {
  return meets(setting, stream) && names(method.streams, stream.name) && names(method.settings, setting.name);
}

std::string thrift_text(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting) {
  const Thrift& thrift = method.thrift;
  const auto networks = static_cast<Index>(stream.networks());
  const auto orders = static_cast<Index>(setting.seeds.size());
  std::vector<std::string> parts;
  if (thrift.count && !stream.corruptions.empty() && *thrift.count != stream.count)
    parts.push_back(fmt::format("{} images a severity", *thrift.count));
  if (thrift.networks && *thrift.networks < networks)
    parts.push_back(fmt::format("{} {}{} of {}", *thrift.networks, stream.is_simulated() ? "seed" : "network",
                                *thrift.networks == 1 ? "" : "s", networks));
  if (thrift.orders && *thrift.orders < orders)
    parts.push_back(fmt::format("{} order{} of {}", *thrift.orders, *thrift.orders == 1 ? "" : "s", orders));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace stad::cli::bench
