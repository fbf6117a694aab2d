#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/report/cells.hpp"

namespace stad::cli::bench {

/// A line of a chart, with a band where figures have a deviation.
class Series {
 public:
  explicit Series(std::string name, bool reference = false);

  void add(double x, const Figure& figure);
  bool empty() const { return points_.empty(); }
  Json json() const;

 private:
  std::string name_;
  bool reference_;
  Json points_ = Json::array();
};

/// Values of every time step over the runs of a candidate, on the way to a line.
class StepValues {
 public:
  void add(double time, const PlannedRun* plan, double value);
  void fill(Series& series) const;

 private:
  struct Values {
    std::vector<const PlannedRun*> plans;
    std::vector<double> values;
  };
  std::map<double, Values> steps_;
};

/// Mean accuracy of every time step over the candidate's runs, in percent.
Json accuracy_line(const std::string& name, const Candidate& candidate, bool reference);

/// Four decimals are finer than a chart shows, and keep the page small.
double shortened(double value);

}  // namespace stad::cli::bench
