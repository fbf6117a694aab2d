#include "bench/plan/experiment.hpp"

#include <algorithm>

#include "json_text.hpp"

namespace stad::cli::bench {
namespace {

bool names(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

const char* name_of(Protocol protocol) { return protocol == Protocol::kLabelFree ? "label-free" : "best with labels"; }

const char* name_of(Order order) {
  if (order == Order::kAsIs) return "as-is";
  return order == Order::kSorted ? "sorted" : "mixed";
}

std::vector<OptionRange> MethodSpec::ranges() const {
  auto all = options;
  all.insert(all.end(), grid.begin(), grid.end());
  if (sweep) all.push_back(*sweep);
  return all;
}

bool Experiment::shows(Exhibit exhibit) const {
  return std::find(exhibits.begin(), exhibits.end(), exhibit) != exhibits.end();
}

const PaperFigure* Experiment::published(const PaperCell& cell) const {
  const auto found = paper_figures.find(cell);
  return found == paper_figures.end() ? nullptr : &found->second;
}

std::string step_name(const StreamSpec& stream, double time) {
  const std::string stamp = json_text(time_value(time));
  const auto found = stream.step_names.find(stamp);
  return found == stream.step_names.end() ? stamp : found->second;
}

bool meets(const SettingSpec& setting, const StreamSpec& stream) { return names(setting.streams, stream.name); }

bool applies(const MethodSpec& method, const StreamSpec& stream, const SettingSpec& setting) {
  return meets(setting, stream) && names(method.streams, stream.name) && names(method.settings, setting.name);
}

}  // namespace stad::cli::bench
