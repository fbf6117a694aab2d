// A program that evaluates an adapter with the installed evaluation library.

#include <iostream>

#include <stad/eval/metrics.hpp>
#include <stad/eval/simulate.hpp>
#include <stad/methods.hpp>

int main() {
  const auto simulation = stad::simulate({.steps = 2, .samples_per_step = 64});
  if (!simulation) return 1;
  const auto adapter = stad::make_adapter(simulation->source, stad::SourceOptions{});
  if (!adapter) return 1;
  const auto answer = (*adapter)->adapt(simulation->stream.features);
  if (!answer) return 1;
  stad::Evaluator evaluator(simulation->source.classes());
  evaluator.add(simulation->stream.labels, answer->labels, answer->probabilities);
  std::cout << "evaluated " << evaluator.evaluation().samples << " rows\n";
  return 0;
}
