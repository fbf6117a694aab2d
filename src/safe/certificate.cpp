#include "safe/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace stad::safe {
namespace {

double mean(const Certificate::Stakes& stakes) {
  return std::accumulate(stakes.begin(), stakes.end(), 0.0) / static_cast<double>(stakes.size());
}

void begin(Certificate::Account& account) {
  account.wealth.fill(1);
  account.watch.fill(1);
}

/// A new attempt with its own, smaller share of the error probability.
void begin_again(Certificate::Account& account) {
  begin(account);
  account.live = true;
  ++account.attempt;
}

}  // namespace

Certificate::Certificate(Index candidates, const CertificateParams& params)
    : params_(params), state_(static_cast<std::size_t>(candidates)) {
  std::ranges::for_each(state_, begin);
}

double Certificate::wealth(Index c) const { return mean(of(c).wealth); }
double Certificate::watch(Index c) const { return mean(of(c).watch); }

double Certificate::threshold(Index c) const {
  return static_cast<double>(size()) * std::exp2(static_cast<double>(of(c).attempt - 1)) / params_.error;
}

void Certificate::add(std::span<const double> outcomes, std::span<const Index> attempts) {
  for (std::size_t c = 0; c < state_.size(); ++c) {
    Account& account = state_[c];
    if (!account.live)
      ++account.set_aside;
    else if (attempts[c] == account.attempt)
      bet(account, outcomes[c]);
  }
  for (Index c = 0; c < size(); ++c) set_aside_or_retry(c);
  if (!revoke()) admit();
}

void Certificate::bet(Account& account, double outcome) const {
  for (std::size_t l = 0; l < params_.bets.size(); ++l) {
    account.wealth[l] = std::min(kMostWealth, account.wealth[l] * (1 + params_.bets[l] * outcome));
    account.watch[l] = std::max(1.0, account.watch[l]) * (1 - params_.bets[l] * outcome);
  }
}

void Certificate::set_aside_or_retry(Index c) {
  Account& account = state_[static_cast<std::size_t>(c)];
  if (account.live && c != answering_ && watch(c) >= params_.set_aside) {
    account.live = false;
    account.wealth.fill(0);
    account.set_aside = 0;
  } else if (!account.live && account.set_aside >= params_.retry_labels && account.attempt < kMostAttempts) {
    begin_again(account);
  }
}

bool Certificate::revoke() {
  if (answering_ == kBase || watch(answering_) < params_.revoke) return false;
  begin_again(state_[static_cast<std::size_t>(std::exchange(answering_, kBase))]);
  return true;
}

void Certificate::admit() {
  Index best = kBase;
  for (Index c = 0; c < size(); ++c)
    if (of(c).live && wealth(c) >= threshold(c) && (best == kBase || wealth(c) > wealth(best))) best = c;
  if (best == kBase || best == answering_) return;
  if (answering_ != kBase && wealth(best) < params_.takeover * wealth(answering_)) return;
  answering_ = best;
  state_[static_cast<std::size_t>(best)].watch.fill(1);
}

void Certificate::restore(std::vector<Account> state, Index answering) {
  state_ = std::move(state);
  answering_ = answering;
}

}  // namespace stad::safe
