#include <algorithm>
#include <cstdint>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "adapt/contest.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"

namespace stad {
namespace {

using safe::Certificate;
using safe::LabelRequest;
using safe::LabelRequests;

constexpr Index kStakes = std::tuple_size_v<Certificate::Stakes>;
constexpr std::int64_t kMostCount = std::int64_t{1} << 62;
constexpr std::int64_t kUnknown = -1;

void save_certificate(const Certificate& certificate, std::vector<Tensor>& tensors) {
  DoubleRows wealth(certificate.size(), kStakes), watch(certificate.size(), kStakes);
  std::vector<std::int64_t> counts;
  for (Index c = 0; c < certificate.size(); ++c) {
    const Certificate::Account& account = certificate.state()[static_cast<std::size_t>(c)];
    wealth.row(c) = Eigen::Map<const Eigen::RowVectorXd>(account.wealth.data(), kStakes);
    watch.row(c) = Eigen::Map<const Eigen::RowVectorXd>(account.watch.data(), kStakes);
    counts.insert(counts.end(), {account.live ? 1 : 0, account.attempt, account.set_aside});
  }
  tensors.push_back(to_tensor("certificate.wealth", wealth));
  tensors.push_back(to_tensor("certificate.watch", watch));
  tensors.push_back(to_tensor("certificate.counts", counts));
  tensors.push_back(to_tensor("certificate.answering", std::vector<std::int64_t>{certificate.answering()}));
}

Status load_certificate(const AdapterState& state, Certificate& certificate) {
  const Index size = certificate.size();
  STAD_ASSIGN(const auto wealth,
              read_rows<double>(state, "certificate.wealth", size, kStakes, Certificate::kMostWealth));
  STAD_ASSIGN(const auto watch, read_rows<double>(state, "certificate.watch", size, kStakes, Certificate::kMostWealth));
  STAD_ASSIGN(const auto counts, read_integers(state, "certificate.counts", 3 * size, 0, kMostCount));
  STAD_ASSIGN(const auto answering, read_integers(state, "certificate.answering", 1, Certificate::kBase, size - 1));
  if (wealth.minCoeff() < 0 || watch.minCoeff() < 0)
    return invalid("state: tensors certificate.wealth and certificate.watch must have no negative value");
  std::vector<Certificate::Account> accounts;
  for (Index c = 0; c < size; ++c) {
    const auto* count = &counts[static_cast<std::size_t>(3 * c)];
    if (count[0] > 1 || count[1] < 1 || count[1] > Certificate::kMostAttempts)
      return invalid("state: tensor certificate.counts holds a flag other than 0 and 1 or an attempt beyond 1 to 1000");
    Certificate::Account account{.live = count[0] == 1, .attempt = count[1], .set_aside = count[2]};
    std::ranges::copy(row_of(wealth, c), account.wealth.begin());
    std::ranges::copy(row_of(watch, c), account.watch.begin());
    accounts.push_back(account);
  }
  if (answering.front() != Certificate::kBase && !accounts[static_cast<std::size_t>(answering.front())].live)
    return invalid("state: tensor certificate.answering names a candidate that is set aside");
  certificate.restore(std::move(accounts), answering.front());
  return {};
}

std::vector<double> times_of(const LabelRequests::State& state) {
  std::vector<double> times;
  if (state.start) times = {*state.start, *state.period_start, *state.time};
  return times;
}

void save_requests(const LabelRequests::State& state, Index dimension, std::vector<Tensor>& tensors) {
  std::vector<std::int64_t> rows, labels, attempts;
  FloatRows features(static_cast<Index>(state.pending.size()), dimension);
  Index n = 0;
  for (const LabelRequest& request : state.pending) {
    const std::int64_t known = request.true_label ? *request.true_label : kUnknown;
    rows.insert(rows.end(), {request.id, request.drawn_at, request.base_label, known});
    labels.insert(labels.end(), request.labels.begin(), request.labels.end());
    attempts.insert(attempts.end(), request.attempts.begin(), request.attempts.end());
    features.row(n++) = Eigen::Map<const Eigen::RowVectorXf>(request.features.data(), dimension);
  }
  tensors.push_back(
      to_tensor("requests.counts", std::vector<std::int64_t>{state.rows, state.period_rows, state.period_labels}));
  tensors.push_back(to_tensor("requests.contested", std::vector<double>{state.contested, state.contested_rows}));
  tensors.push_back(to_tensor("requests.times", times_of(state)));
  tensors.push_back(to_tensor("requests.rows", rows));
  tensors.push_back(to_tensor("requests.labels", labels));
  tensors.push_back(to_tensor("requests.attempts", attempts));
  tensors.push_back(to_tensor<float>("requests.features", features));
}

/// The pending requests, in the order drawn.
Result<std::deque<LabelRequest>> load_pending(const AdapterState& state, Index candidates, Index dimension,
                                              Index classes, Index stream_rows) {
  STAD_ASSIGN(const auto features, read_rows<float>(state, "requests.features", kAnyLength, dimension, 1e38));
  const Index count = features.rows();
  STAD_ASSIGN(const auto rows, read_integers(state, "requests.rows", 4 * count, INT64_MIN, INT64_MAX));
  STAD_ASSIGN(const auto labels, read_integers(state, "requests.labels", candidates * count, 0, classes - 1));
  STAD_ASSIGN(const auto attempts,
              read_integers(state, "requests.attempts", candidates * count, 0, Certificate::kMostAttempts));
  std::deque<LabelRequest> pending;
  for (Index n = 0; n < count; ++n) {
    const auto* row = &rows[static_cast<std::size_t>(4 * n)];
    if (row[1] < 0 || row[1] >= stream_rows || row[2] < 0 || row[2] >= classes || row[3] < kUnknown ||
        row[3] >= classes)
      return invalid(
          fmt::format("state: tensor requests.rows holds a row number or a class out of range in request {}", n));
    const auto own = [&](const std::vector<std::int64_t>& list) {
      return std::vector<Index>(list.begin() + candidates * n, list.begin() + candidates * (n + 1));
    };
    pending.push_back({.id = row[0],
                       .drawn_at = row[1],
                       .base_label = row[2],
                       .labels = own(labels),
                       .attempts = own(attempts),
                       .features = {features.data() + n * dimension, features.data() + (n + 1) * dimension},
                       .true_label = row[3] == kUnknown ? std::nullopt : std::optional<Index>(row[3])});
  }
  return pending;
}

Status load_requests(const AdapterState& state, Index candidates, Index dimension, Index classes,
                     LabelRequests::State& loaded) {
  STAD_ASSIGN(const auto counts, read_integers(state, "requests.counts", 3, 0, kMostCount));
  STAD_ASSIGN(const auto contested, read_doubles(state, "requests.contested", 2, 0, 1e18));
  STAD_ASSIGN(const auto times, read_doubles(state, "requests.times", kAnyLength, -1e290, 1e290));
  if (!(contested[1] > 0) || contested[0] > kWhole * contested[1] || (!times.empty() && times.size() != 3))
    return invalid("state: tensors requests.contested and requests.times are inconsistent");
  STAD_ASSIGN(auto pending, load_pending(state, candidates, dimension, classes, counts[0]));
  loaded = {.rows = counts[0],
            .period_rows = counts[1],
            .period_labels = counts[2],
            .contested = contested[0],
            .contested_rows = contested[1],
            .pending = std::move(pending)};
  if (!times.empty())
    std::tie(loaded.start, loaded.period_start, loaded.time) = std::tuple(times[0], times[1], times[2]);
  return {};
}

}  // namespace

std::vector<Tensor> Contest::save() const {
  std::vector<Tensor> tensors;
  save_certificate(certificate_, tensors);
  save_requests(requests_.state(), dimension_, tensors);
  for (const auto& candidate : candidates_) {
    auto own = candidate->save();
    std::ranges::move(own, std::back_inserter(tensors));
  }
  return tensors;
}

Index Contest::count_tensors(const AdapterState& state) {
  return std::ranges::count_if(state.tensors, [](const Tensor& tensor) {
    return tensor.name.starts_with("certificate.") || tensor.name.starts_with("requests.") ||
           tensor.name.starts_with("candidate.");
  });
}

Status Contest::check_count(const AdapterState& state) const {
  constexpr Index kOwnTensors = 11;
  Index expected = kOwnTensors;
  for (const auto& candidate : candidates_) expected += candidate->count_tensors(state);
  const Index found = count_tensors(state);
  if (found <= expected) return {};  // those that are missing are named by their readers
  return invalid(
      fmt::format("state: holds {} tensors of certificate, requests and candidates, must hold {}", found, expected));
}

Status Contest::load_candidates(const AdapterState& state) {
  AdapterState before;
  before.tensors = save();
  for (auto candidate = candidates_.begin(); candidate != candidates_.end(); ++candidate)
    if (Status loaded = (*candidate)->load(state); !loaded) {
      for (auto earlier = candidates_.begin(); earlier != candidate; ++earlier) (void)(*earlier)->load(before);
      return loaded;
    }
  return {};
}

AdapterState Contest::make_certificate(const SourceModel& source) const {
  std::string names;
  AdapterState state;
  save_certificate(certificate_, state.tensors);
  for (const auto& candidate : candidates_) {
    names += (names.empty() ? "" : ",") + candidate->name();
    if (candidate->learns_labels()) std::ranges::copy(candidate->save(), std::back_inserter(state.tensors));
  }
  state.method = "stad-safe";
  state.options = {{.name = "candidates", .value = names}};
  state.source_fingerprint = source.fingerprint();
  state.classes = classes_;
  state.dimension = dimension_;
  return state;
}

Status Contest::start_from(const AdapterState& certificate) {
  STAD_TRY(load_certificate(certificate, certificate_));
  for (const auto& candidate : candidates_)
    if (candidate->learns_labels()) STAD_TRY(candidate->load(certificate));
  return {};
}

Status Contest::load(const AdapterState& state) {
  Certificate certificate = certificate_;
  LabelRequests::State requests;
  STAD_TRY(check_count(state));
  STAD_TRY(load_certificate(state, certificate));
  STAD_TRY(load_requests(state, certificate.size(), dimension_, classes_, requests));
  STAD_TRY(load_candidates(state));
  certificate_ = std::move(certificate);
  requests_.state() = std::move(requests);
  return {};
}

}  // namespace stad
