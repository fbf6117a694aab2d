#include "support/golden_case.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "io/file_access.hpp"
#include "io/npz.hpp"

namespace stad::testing {

std::vector<GoldenCase> golden_cases(const std::string& folder) {
  std::ifstream file(folder + "/cases.json");
  std::vector<GoldenCase> cases;
  if (!file) return cases;
  for (const auto& entry : nlohmann::json::parse(file)) {
    GoldenCase golden{entry["name"], entry["method"], {}};
    for (const auto& [name, value] : entry["options"].items())
      golden.options.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
    cases.push_back(std::move(golden));
  }
  return cases;
}

Eigen::MatrixXd golden_array(const std::string& path, const std::string& name) {
  const auto file = *read_file(path);
  const auto archive = *Npz::open(file.bytes);
  auto array = *archive.read(name);
  if (!array) return {};
  const Index rows = array->shape[0];
  const Index cols = array->shape.size() > 1 ? array->shape[1] : 1;
  STAD_CHECK(!array->fortran_order);
  array->shape = {rows * cols};
  const auto values = *to_doubles(*array);
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(values.data(), rows, cols);
}

std::optional<double> golden_scalar(const std::string& path, const std::string& name) {
  const auto file = *read_file(path);
  const auto archive = *Npz::open(file.bytes);
  auto array = *archive.read(name);
  if (!array) return std::nullopt;
  array->shape = {1};
  return to_doubles(*array)->front();
}

}  // namespace stad::testing
