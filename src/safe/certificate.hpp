#pragma once

#include <array>
#include <span>
#include <tuple>
#include <vector>

#include "safe/params.hpp"

namespace stad::safe {

/// Decides by labels which candidate answers in place of the base. A label of a row gives every candidate an outcome:
/// +1 if the candidate is right and the base wrong, -1 if the base alone is right, 0 otherwise. Each candidate bets
/// fixed shares of its wealth on its outcomes being positive and is admitted when its wealth reaches a threshold. By
/// Ville's inequality, the probability that any attempt of any candidate is ever admitted while the sum of its expected
/// outcomes is not positive is at most 2 delta, for every stream (docs/certificate.md). A CUSUM of the same bets, the
/// watch, revokes an admission; it has no such guarantee.
class Certificate {
 public:
  static constexpr Index kBase = -1;  ///< answering(): no candidate
  static constexpr Index kNotLive = 0;
  /// Wealth does not grow beyond it, so that it stays finite in streams of any length. Less wealth proves less.
  static constexpr double kMostWealth = 1e300;
  /// The last attempt: its threshold is beyond kMostWealth, and a candidate that is set aside in it stays so.
  static constexpr Index kMostAttempts = 1000;

  explicit Certificate(Index candidates, const CertificateParams& params = {});

  /// Applies one label.
  /// @param outcomes one a candidate, from -1 to 1
  /// @param attempts of the candidates when the row was drawn, kNotLive for those that were set aside then: the label
  ///                 counts only for candidates that are in the same attempt now
  void add(std::span<const double> outcomes, std::span<const Index> attempts);

  Index size() const { return static_cast<Index>(state_.size()); }
  Index answering() const { return answering_; }
  bool is_live(Index c) const { return of(c).live; }
  /// Number of the present attempt, from 1, or kNotLive.
  Index attempt(Index c) const { return of(c).live ? of(c).attempt : kNotLive; }
  Index attempts(Index c) const { return of(c).attempt; }
  double wealth(Index c) const;
  double watch(Index c) const;
  /// Wealth at which the present attempt is admitted.
  double threshold(Index c) const;

  using Stakes = std::array<double, std::tuple_size_v<decltype(CertificateParams::bets)>>;
  /// What a state holds of each candidate.
  struct Account {
    Stakes wealth{};  ///< W, one value a bet
    Stakes watch{};   ///< M
    bool live = true;
    Index attempt = 1;
    Index set_aside = 0;  ///< labels since the candidate was set aside
  };
  const std::vector<Account>& state() const { return state_; }
  void restore(std::vector<Account> state, Index answering);

 private:
  const Account& of(Index c) const { return state_[static_cast<std::size_t>(c)]; }
  void bet(Account& account, double outcome) const;
  void set_aside_or_retry(Index c);
  bool revoke();
  void admit();

  CertificateParams params_;
  std::vector<Account> state_;
  Index answering_ = kBase;
};

}  // namespace stad::safe
