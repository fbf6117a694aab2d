#include "reference/method.hpp"

#include <fmt/format.h>

#include "base/try.hpp"
#include "math/eigen.hpp"
#include "reference/baselines.hpp"
#include "reference/experts.hpp"
#include "reference/gauss.hpp"
#include "reference/guarded_base.hpp"
#include "reference/vmf.hpp"

namespace stad::reference {
namespace {

using MethodPointer = std::unique_ptr<Method>;

template <typename ReferenceMethod, typename Options>
Result<MethodPointer> make(const Head& head, const OptionValues& values) {
  STAD_ASSIGN(const Options options, parse_options<Options>(values));
  return MethodPointer(std::make_unique<ReferenceMethod>(head, options));
}

Eigen::VectorXd as_double(std::span<const float> values) { return as_array(values).matrix().cast<double>(); }

}  // namespace

Head head_of(const SourceModel& source) {
  const SourceCard& card = source.card();
  return {as_eigen(source.weight()).cast<double>(), as_double(source.bias()), as_double(source.mean()),
          Card{card.temperature.value_or(1), as_double(card.frequencies), as_eigen(card.means).cast<double>(),
               as_double(card.variance)}};
}

Result<MethodPointer> make_method(std::string_view name, const Head& head, const OptionValues& options) {
  if (name == "source") return make<Source, SourceOptions>(head, options);
  if (name == "t3a") return make<T3a, T3aOptions>(head, options);
  if (name == "lame") return make<Lame, LameOptions>(head, options);
  if (name == "stad-vmf") return make<Vmf, StadVmfOptions>(head, options);
  if (name == "stad-gauss") return make<Gauss, StadGaussOptions>(head, options);
  if (name == "normalise") return make<Normalise, NormaliseOptions>(head, options);
  if (name == "prior") return make<Prior, PriorOptions>(head, options);
  if (name == "stad-safe") return make<GuardedBase, StadSafeOptions>(head, options);
  return invalid(fmt::format("{}: has no reference implementation", name));
}

Eigen::MatrixXd logits_of(const Head& head, const Eigen::MatrixXd& features) {
  Eigen::MatrixXd logits = features * head.weight.transpose();
  if (head.bias.size() > 0) logits.rowwise() += head.bias.transpose();
  return logits;
}

Eigen::VectorXd class_prior(const Head& head) {
  const auto k = static_cast<double>(head.weight.rows());
  Eigen::VectorXd prior =
      head.card.frequencies.size() > 0 ? head.card.frequencies : Eigen::VectorXd::Constant(head.weight.rows(), 1 / k);
  prior.array() += 0.01 / k;
  return prior / prior.sum();
}

Eigen::MatrixXd unit(Eigen::MatrixXd rows) {
  rows.rowwise().normalize();
  return rows;
}

Eigen::MatrixXd softmax_of(Eigen::MatrixXd logits) {
  for (Eigen::Index n = 0; n < logits.rows(); ++n) {
    logits.row(n).array() -= logits.row(n).maxCoeff();
    logits.row(n) = logits.row(n).array().exp();
    logits.row(n) /= logits.row(n).sum();
  }
  return logits;
}

}  // namespace stad::reference
