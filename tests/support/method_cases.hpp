#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <stad/options.hpp>

namespace stad::testing {

/// A method with options, for tests of contracts that hold for every method.
struct MethodCase {
  std::string name;  ///< name of the test
  std::string method;
  OptionValues options;

  friend void PrintTo(const MethodCase& tested, std::ostream* out) { *out << tested.name; }
};

inline std::vector<MethodCase> method_cases() {
  return {
      {"Source", "source", {}},
      {"T3a", "t3a", {{"supports", "5"}}},
      {"T3aAll", "t3a", {{"supports", "all"}}},
      {"Lame", "lame", {}},
      {"Vmf", "stad-vmf", {}},
      {"VmfPrevious", "stad-vmf", {{"init", "previous"}, {"kappa_trans", "1000"}}},
      {"VmfLearned", "stad-vmf", {{"init", "previous"}, {"learn_kappa", "class"}}},
      {"VmfBefore", "stad-vmf", {{"predict", "before"}, {"probabilities", "posterior"}}},
      {"VmfStatic", "stad-vmf", {{"dynamics", "off"}}},
      {"VmfCentred", "stad-vmf", {{"center", "source"}, {"window", "1"}}},
      {"Gauss", "stad-gauss", {}},
      {"GaussPrevious", "stad-gauss", {{"init", "previous"}, {"score", "likelihood"}}},
      {"GaussStatic", "stad-gauss", {{"dynamics", "off"}}},
      {"Safe", "stad-safe", {}},
      {"SafeLabels", "stad-safe", {{"label_budget", "20"}, {"label_period", "60"}}},
      {"SafeCandidates", "stad-safe", {{"candidates", "fine-tune,half,recentre,prior,stad-vmf,lame,t3a,chains"}}},
      {"Recentre", "normalise", {}},
      {"Half", "normalise", {{"kind", "half"}}},
      {"Prior", "prior", {}},
      {"PriorOften", "prior", {{"refresh", "1"}}},
  };
}

}  // namespace stad::testing
