#include "bench/report/exhibits.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stad::cli::bench {

std::vector<std::string> Results::titles() const {
  std::vector<std::string> titles;
  for (const MethodSpec& method : experiment.methods)
    if (std::find(titles.begin(), titles.end(), method.title) == titles.end()) titles.push_back(method.title);
  return titles;
}

std::string Results::thrift_of(const std::string& title, const StreamSpec& stream, const SettingSpec& setting) const {
  for (const MethodSpec& method : experiment.methods)
    if (method.title == title && !method.name.empty() && applies(method, stream, setting))
      return thrift_text(method, stream, setting);
  return "";
}

Json Results::title_cell(const std::string& title, const StreamSpec& stream, const SettingSpec& setting) const {
  const std::string thrift = thrift_of(title, stream, setting);
  return thrift.empty() ? Json(title) : Json{{"text", title}, {"note", thrift}};
}

bool Results::is_source(const std::string& title) const {
  return std::any_of(experiment.methods.begin(), experiment.methods.end(),
                     [&](const MethodSpec& method) { return method.title == title && method.name == "source"; });
}

bool Results::is_missing(const StreamSpec& stream) const { return plan.find_missing(experiment, stream) != nullptr; }

bool Results::has_choices() const {
  return std::any_of(experiment.methods.begin(), experiment.methods.end(), [](const MethodSpec& method) {
    return !method.grid.empty() || method.protocol == Protocol::kBestWithLabels;
  });
}

const Candidate* Results::shown(const CellKey& key) const {
  const Cell* cell = cells.find(key);
  const Candidate* candidate = cell ? cell->chosen(Protocol::kBestWithLabels) : nullptr;
  return candidate && candidate->failure().empty() ? candidate : nullptr;
}

void Results::for_each_setting(const std::function<void(const StreamSpec&, const SettingSpec&)>& visit) const {
  for (const StreamSpec& stream : experiment.streams)
    if (!is_missing(stream))
      for (const SettingSpec& setting : experiment.settings)
        if (meets(setting, stream)) visit(stream, setting);
}

Json accuracy_chart(const Results& results, const StreamSpec& stream, const SettingSpec& setting,
                    const std::string& title, const std::string& x_label, const Json& series) {
  Json chart{
      {"title", title}, {"x_label", x_label}, {"y_label", "accuracy in %"}, {"y_range", {0, 100}}, {"series", series}};
  std::vector<std::string> notes;
  if (results.has_choices()) notes.emplace_back("Every method at its best with labels.");
  for (const std::string& method : results.titles())
    if (const std::string thrift = results.thrift_of(method, stream, setting); !thrift.empty())
      notes.push_back(fmt::format("{}: {}.", method, thrift));
  if (!notes.empty()) chart["note"] = fmt::format("{}", fmt::join(notes, " "));
  return chart;
}

std::string heading_of(const StreamSpec& stream, const SettingSpec& setting) {
  return stream.name + ", " + setting.name;
}

std::string heading_of(const StreamSpec& stream, const SettingSpec& setting, Index batch_size) {
  const std::string heading = heading_of(stream, setting);
  return setting.batch_sizes.size() > 1 ? fmt::format("{}, batches of {}", heading, batch_size) : heading;
}

}  // namespace stad::cli::bench
