// A program that adapts with the installed runtime library alone.

#include <iostream>

#include <stad/methods.hpp>
#include <stad/version.hpp>

int main() {
  stad::Matrix weight(2, 3);
  weight(0, 0) = 1;
  weight(1, 1) = 1;
  const auto source = stad::SourceModel::create(weight);
  if (!source) return 1;
  const auto options = stad::parse_options<stad::StadVmfOptions>({{"init", "previous"}});
  if (!options) return 1;
  const auto adapter = stad::make_adapter(*source, *options);
  if (!adapter) return 1;
  stad::Matrix features(3, 3);
  for (stad::Index n = 0; n < 3; ++n) features(n, n) = 1;
  const auto answer = (*adapter)->adapt(features);
  if (!answer) return 1;
  std::cout << stad::kVersion << ": adapted " << answer->labels.size() << " rows\n";
  return 0;
}
