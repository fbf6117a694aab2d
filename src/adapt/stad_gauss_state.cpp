// State of stad-gauss as named tensors.

#include <fmt/format.h>

#include "adapt/stad_gauss_adapter.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"

namespace stad {
namespace {

void save_beliefs(const std::string& prefix, const std::vector<gaussian::Belief>& beliefs,
                  std::vector<Tensor>& tensors) {
  for (std::size_t k = 0; k < beliefs.size(); ++k) {
    tensors.push_back(to_tensor(fmt::format("{}{}.mean", prefix, k), DoubleRows(beliefs[k].mean.transpose())));
    tensors.push_back(to_tensor(fmt::format("{}{}.covariance", prefix, k), DoubleRows(beliefs[k].covariance)));
  }
}

Result<SquareMatrix> load_square(const AdapterState& state, const std::string& name) {
  STAD_ASSIGN(const DoubleRows rows, read_rows<double>(state, name, state.dimension, state.dimension));
  return SquareMatrix(rows);
}

/// Symmetric and positive definite up to rounding, as every written covariance is.
Result<SquareMatrix> load_covariance(const AdapterState& state, const std::string& name) {
  constexpr double kRounding = 1e-9;
  STAD_ASSIGN(SquareMatrix covariance, load_square(state, name));
  const double scale = covariance.cwiseAbs().maxCoeff();
  const SquareMatrix lifted = covariance + kRounding * scale * SquareMatrix::Identity(state.dimension, state.dimension);
  const bool symmetric = (covariance - covariance.transpose()).cwiseAbs().maxCoeff() <= kRounding * scale;
  if (!symmetric || !is_positive_definite(lifted))
    return invalid(fmt::format("state: tensor {} is not a covariance, must be symmetric and positive definite", name));
  return covariance;
}

Result<std::vector<gaussian::Belief>> load_beliefs(const AdapterState& state, const std::string& prefix) {
  std::vector<gaussian::Belief> beliefs;
  for (Index k = 0; k < state.classes; ++k) {
    STAD_ASSIGN(const DoubleRows mean,
                read_rows<double>(state, fmt::format("{}{}.mean", prefix, k), 1, state.dimension));
    STAD_ASSIGN(SquareMatrix covariance, load_covariance(state, fmt::format("{}{}.covariance", prefix, k)));
    beliefs.push_back({mean.row(0).transpose(), std::move(covariance)});
  }
  return beliefs;
}

Result<gaussian::GaussStep> load_step(const AdapterState& state, const std::string& prefix) {
  gaussian::GaussStep step;
  STAD_ASSIGN(step.features, read_unit_rows<double>(state, prefix + "features", kAnyLength, state.dimension));
  STAD_ASSIGN(step.means, read_rows<double>(state, prefix + "means", state.classes, state.dimension));
  STAD_ASSIGN(step.proportions, read_doubles(state, prefix + "proportions", state.classes, 0, kWhole));
  return step;
}

Result<gaussian::GaussParams> load_params(const AdapterState& state) {
  gaussian::GaussParams params;
  for (Index k = 0; k < state.classes; ++k) {
    STAD_ASSIGN(SquareMatrix transition, load_square(state, fmt::format("transition{}", k)));
    params.transition.push_back(std::move(transition));
  }
  STAD_ASSIGN(params.transition_noise, load_covariance(state, "transition_noise"));
  STAD_ASSIGN(params.emission_noise, load_covariance(state, "emission_noise"));
  return params;
}

}  // namespace

std::vector<Tensor> StadGaussAdapter::save() const {
  std::vector<Tensor> tensors;
  tensors.push_back(to_tensor("steps", std::vector<std::int64_t>{static_cast<std::int64_t>(window_.steps.size())}));
  for (std::size_t k = 0; k < params_.transition.size(); ++k)
    tensors.push_back(to_tensor(fmt::format("transition{}", k), DoubleRows(params_.transition[k])));
  tensors.push_back(to_tensor("transition_noise", DoubleRows(params_.transition_noise)));
  tensors.push_back(to_tensor("emission_noise", DoubleRows(params_.emission_noise)));
  save_beliefs("start", window_.start, tensors);
  save_beliefs("oldest", window_.oldest, tensors);
  for (std::size_t i = 0; i < window_.steps.size(); ++i) {
    const auto prefix = fmt::format("step{}.", i);
    tensors.push_back(to_tensor(prefix + "features", window_.steps[i].features));
    tensors.push_back(to_tensor(prefix + "means", window_.steps[i].means));
    tensors.push_back(to_tensor(prefix + "proportions", window_.steps[i].proportions));
  }
  return tensors;
}

Status StadGaussAdapter::load(const AdapterState& state) {
  STAD_ASSIGN(const auto steps, read_integers(state, "steps", 1, 0, options_.window + 1));
  STAD_TRY(check_tensor_count(state, 3 + 5 * state.classes + 3 * steps[0]));
  STAD_ASSIGN(gaussian::GaussParams params, load_params(state));
  gaussian::GaussWindow window;
  STAD_ASSIGN(window.start, load_beliefs(state, "start"));
  STAD_ASSIGN(window.oldest, load_beliefs(state, "oldest"));
  for (std::int64_t i = 0; i < steps[0]; ++i) {
    STAD_ASSIGN(gaussian::GaussStep step, load_step(state, fmt::format("step{}.", i)));
    window.steps.push_back(std::move(step));
  }
  params_ = std::move(params);
  window_ = std::move(window);
  return {};
}

}  // namespace stad
