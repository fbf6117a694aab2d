#include "bench/plan/grid_points.hpp"

#include <fmt/format.h>

namespace stad::cli::bench {
namespace {

void add_first_values(const std::vector<OptionRange>& ranges, OptionValues& values) {
  for (const OptionRange& range : ranges) values.emplace_back(range.name, range.values.front());
}

}  // namespace

std::vector<GridPoint> grid_points(const MethodSpec& method) {
  OptionValues own;
  add_first_values(method.options, own);
  std::vector<GridPoint> points{{"", own}};
  for (const OptionRange& range : method.grid) {
    std::vector<GridPoint> longer;
    for (const GridPoint& point : points)
      for (const std::string& value : range.values) {
        longer.push_back(point);
        longer.back().choice += fmt::format("{}{} = {}", point.choice.empty() ? "" : ", ", range.name, value);
        longer.back().options.emplace_back(range.name, value);
      }
    points = std::move(longer);
  }
  if (!method.grid.empty()) points.insert(points.begin(), {"", {}});
  return points;
}

}  // namespace stad::cli::bench
