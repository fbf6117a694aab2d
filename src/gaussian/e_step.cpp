#include "gaussian/e_step.hpp"

#include "data/evidence.hpp"
#include "math/softmax.hpp"

namespace stad::gaussian {
DoubleRows distance_logits(const Eigen::MatrixXd& whitened, const DoubleRows& means, const PositiveDefinite& emission) {
  const Eigen::MatrixXd centres = emission.whiten(means.transpose());  // D x K
  DoubleRows logits = whitened.transpose() * centres;
  logits.rowwise() -= 0.5 * centres.colwise().squaredNorm();
  return logits;
}

Evidence assign(const Step& step, const PositiveDefinite& emission) {
  Evidence evidence;
  evidence.whitened = emission.whiten(step.features.transpose());
  DoubleRows logits = distance_logits(evidence.whitened, step.means, emission);
  DoubleRows responsibilities(logits.rows(), logits.cols());
  for (Index k = 0; k < logits.cols(); ++k) logits.col(k).array() += log_proportion(step.proportions[k]);
  const auto classes = static_cast<std::size_t>(logits.cols());
  for (Index n = 0; n < logits.rows(); ++n)
    softmax(std::span<const double>(logits.row(n).data(), classes),
            std::span<double>(responsibilities.row(n).data(), classes));
  evidence.responsibilities = responsibilities;
  return evidence;
}

std::optional<Track> track_class(Index k, const Belief& start, const std::vector<Evidence>& evidence,
                                 const PositiveDefinite& emission, const Params& params) {
  const SquareMatrix& transition = params.transition[k];
  const auto steps = static_cast<Index>(evidence.size());
  Track track;
  std::vector<Belief> predicted;
  for (Index i = 0; i < steps; ++i) {
    predicted.push_back(predict(i == 0 ? start : track.filtered.back(), transition, params.transition_noise));
    if (!within_reach(predicted.back())) return std::nullopt;
    track.filtered.push_back(
        update(predicted.back(), emission, evidence[i].whitened, evidence[i].responsibilities.col(k)));
    if (!within_reach(track.filtered.back())) return std::nullopt;
  }

  track.smoothed = track.filtered;
  track.gains.resize(evidence.size() - 1);
  for (Index i = steps - 1; i-- > 0;) {
    auto [belief, gain] = smooth(track.filtered[i], predicted[i + 1], track.smoothed[i + 1], transition);
    if (!within_reach(belief)) return std::nullopt;
    track.smoothed[i] = std::move(belief);
    track.gains[i] = std::move(gain);
  }
  return track;
}

}  // namespace stad::gaussian
