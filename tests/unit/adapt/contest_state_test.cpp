// States of stad-safe with candidates and pending label requests.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/contest_run.hpp"

namespace stad::testing {
namespace {

class ContestStates : public ::testing::TestWithParam<const char*> {};

TEST_P(ContestStates, ContinueBitForBitInTheMiddleOfPendingRequests) {
  const ContestStream stream(1);
  const auto made = [&] { return contest_adapter(stream, with_candidates(GetParam())); };
  ContestRun run(stream, made());
  bool was_pending = false;
  for (Index b = 0; b < stream.size(); ++b) {
    ContestRun restored = run.continued_by(made());
    ASSERT_TRUE(restored.adapter().restore(*state_from_bytes(run.bytes())));
    ASSERT_EQ(restored.bytes(), run.bytes());
    was_pending |= run.adapter().health().pending_requests > 0;
    expect_equal_answers(restored.adapt(b), run.adapt(b));
    ASSERT_EQ(restored.bytes(), run.bytes()) << "batch " << b;
  }
  EXPECT_TRUE(was_pending);
}

INSTANTIATE_TEST_SUITE_P(Candidates, ContestStates,
                         ::testing::Values("chains,fine-tune", "fine-tune,recentre", "half,prior,fine-tune",
                                           "stad-vmf,lame,t3a,standardise"));

struct Damage {
  const char* tensor;
  void (*apply)(Tensor& tensor);
};

template <typename Value>
void set_first(Tensor& tensor, Value value) {
  std::get<std::vector<Value>>(tensor.values).at(0) = value;
}

const Damage kDamages[] = {
    {"certificate.wealth", [](Tensor& t) { set_first<double>(t, -1); }},
    {"certificate.wealth", [](Tensor& t) { set_first<double>(t, std::nan("")); }},
    {"certificate.watch", [](Tensor& t) { set_first<double>(t, -1e-3); }},
    {"certificate.watch", [](Tensor& t) { set_first<double>(t, INFINITY); }},
    {"certificate.counts", [](Tensor& t) { set_first<std::int64_t>(t, 2); }},
    {"certificate.counts", [](Tensor& t) { std::get<2>(t.values).at(1) = 0; }},
    {"certificate.counts", [](Tensor& t) { std::get<2>(t.values).at(2) = -1; }},
    {"certificate.answering", [](Tensor& t) { set_first<std::int64_t>(t, 2); }},
    {"certificate.answering", [](Tensor& t) { set_first<std::int64_t>(t, -2); }},
    {"requests.counts", [](Tensor& t) { set_first<std::int64_t>(t, -1); }},
    {"requests.contested", [](Tensor& t) { std::get<1>(t.values).at(1) = 0; }},
    {"requests.contested", [](Tensor& t) { set_first<double>(t, 1e17); }},
    {"requests.times", [](Tensor& t) { set_first<double>(t, INFINITY); }},
    {"requests.times", [](Tensor& t) { std::get<1>(t.values).resize(2), t.shape = {2}; }},
    {"requests.rows", [](Tensor& t) { std::get<2>(t.values).at(1) = -1; }},
    {"requests.rows", [](Tensor& t) { std::get<2>(t.values).at(1) = 300; }},  // of 300 rows
    {"requests.rows", [](Tensor& t) { std::get<2>(t.values).at(2) = 4; }},
    {"requests.rows", [](Tensor& t) { std::get<2>(t.values).at(3) = -2; }},
    {"requests.rows", [](Tensor& t) { std::get<2>(t.values).pop_back(), t.shape[0] -= 1; }},
    {"requests.labels", [](Tensor& t) { set_first<std::int64_t>(t, 4); }},
    {"requests.labels", [](Tensor& t) { set_first<std::int64_t>(t, -1); }},
    {"requests.attempts", [](Tensor& t) { set_first<std::int64_t>(t, -1); }},
    {"requests.features", [](Tensor& t) { set_first<float>(t, NAN); }},
    {"requests.features", [](Tensor& t) { t.shape[1] += 1; }},
    {"candidate.fine-tune.rows", [](Tensor& t) { set_first<float>(t, INFINITY); }},
    {"candidate.fine-tune.labels", [](Tensor& t) { set_first<std::int64_t>(t, 9); }},
    {"candidate.fine-tune.dual", [](Tensor& t) { set_first<double>(t, std::nan("")); }},
    {"candidate.fine-tune.next", [](Tensor& t) { set_first<std::int64_t>(t, 201); }},
    {"candidate.fine-tune.scale", [](Tensor& t) { set_first<double>(t, 0); }},
};

Tensor& tensor_of(AdapterState& state, const std::string& name) {
  return *std::ranges::find(state.tensors, name, &Tensor::name);
}

/// The adapter refuses the state with a message that names the tensor, and is as before.
void expect_refused(const ContestRun& victim, const AdapterState& state, const std::string& tensor) {
  const std::string before = victim.bytes();
  const Status restored = victim.adapter().restore(state);
  ASSERT_FALSE(restored) << tensor;
  EXPECT_NE(restored.error().message.find(tensor), std::string::npos) << tensor << ": " << restored.error().message;
  EXPECT_EQ(victim.bytes(), before) << tensor;
}

/// A run with pending requests, and another state that an error must leave as it is.
struct DamageCase {
  explicit DamageCase(const char* candidates)
      : stream(5),
        run(stream, contest_adapter(stream, with_candidates(candidates))),
        victim(stream, contest_adapter(stream, with_candidates(candidates))) {
    for (Index b = 0; b < 15; ++b) run.adapt(b);
    for (Index b = 0; b < 8; ++b) victim.adapt(b);
    EXPECT_GT(run.adapter().health().pending_requests, 0);
  }

  ContestStream stream;
  ContestRun run, victim;
};

TEST(ContestState, DamagedTensorsAreNamedAndChangeNothing) {
  DamageCase tested("recentre,fine-tune");
  const AdapterState good = tested.run.adapter().state();
  for (const Damage& damage : kDamages) {
    AdapterState bad = good;
    damage.apply(tensor_of(bad, damage.tensor));
    expect_refused(tested.victim, bad, damage.tensor);
  }
  EXPECT_TRUE(tested.victim.adapter().restore(good)) << "which is accepted undamaged";
  EXPECT_EQ(tested.victim.bytes(), tested.run.bytes());
}

TEST(ContestState, MissingAndMisshapenTensorsOfTheContestAreNamedAndChangeNothing) {
  for (const char* candidates : {"fine-tune,prior,recentre", "prior,stad-vmf,fine-tune", "t3a,lame,half"}) {
    DamageCase tested(candidates);
    const AdapterState good = tested.run.adapter().state();
    for (const Tensor& tensor : good.tensors) {
      if (!tensor.name.starts_with("c") && !tensor.name.starts_with("requests.")) continue;
      if (tensor.name.starts_with("chains.")) continue;
      // Messages about the tensors of a method that runs as a candidate name the candidate.
      const std::string named = tensor.name.starts_with("candidate.") && !tensor.name.starts_with("candidate.fine-tune")
                                    ? "candidate " + tensor.name.substr(10, tensor.name.find('.', 10) - 10)
                                    : tensor.name;
      AdapterState misshapen = good, missing = good, mistyped = good;
      tensor_of(misshapen, tensor.name).shape.push_back(1);
      expect_refused(tested.victim, misshapen, named);
      std::erase_if(missing.tensors, [&](const Tensor& t) { return t.name == tensor.name; });
      const bool is_optional = tensor.name.starts_with("candidate.stad-vmf") && tensor.name.ends_with("ids");
      if (!is_optional) expect_refused(tested.victim, missing, named);
      Tensor& changed = tensor_of(mistyped, tensor.name);
      changed.values = std::vector<float>(std::visit([](const auto& v) { return v.size(); }, tensor.values), 0);
      if (changed.values.index() != tensor.values.index()) expect_refused(tested.victim, mistyped, named);
    }
  }
}

TEST(ContestState, TensorsThatItDoesNotWriteAreRefused) {
  DamageCase tested("fine-tune,prior");
  const AdapterState good = tested.run.adapter().state();
  for (const char* name : {"candidate.other.sums", "candidate.fine-tune.more", "candidate.prior.more", "candidate.",
                           "requests.more", "certificate.more", "certificate.wealth", "candidate.fine-tune.rows"}) {
    AdapterState bad = good;
    Tensor more = bad.tensors.back();
    more.name = name;
    bad.tensors.push_back(more);
    EXPECT_FALSE(tested.victim.adapter().restore(bad)) << name;
  }
}

/// Restores a damaged state in a copy of the adapter, and goes on with the stream if it is accepted: whatever was
/// damaged, answers stay finite and the next state can be restored.
/// @returns whether it was accepted
bool survives(const DamageCase& tested, const std::string& candidates, const AdapterState& bad) {
  ContestRun victim = tested.run.continued_by(contest_adapter(tested.stream, with_candidates(candidates)));
  const std::string before = victim.bytes();
  if (!victim.adapter().restore(bad)) {
    EXPECT_EQ(victim.bytes(), before);
    return false;
  }
  for (Index b = 15; b < 19; ++b) {
    const auto answer = victim.adapt(b);
    for (Index i = 0; i < answer.probabilities.size(); ++i) EXPECT_TRUE(std::isfinite(answer.probabilities.data()[i]));
  }
  const auto continued = contest_adapter(tested.stream, with_candidates(candidates));
  const Status restored = continued->restore(victim.adapter().state());
  EXPECT_TRUE(restored) << restored.error().message;
  return true;
}

/// Changes one thing: a value, a few bits, a shape, the length or type of a tensor, or drops or repeats or renames it.
void damage_tensors(AdapterState& state, Random& random) {
  constexpr double kOdd[] = {0, -1, 1, 2, 0.5, 1e-300, 1e15, 1e18, 1e290, 1e300, 4e18, -4e18, NAN, INFINITY};
  const std::size_t place = random.below(state.tensors.size());
  Tensor& tensor = state.tensors[place];
  const auto kind = random.below(8);
  std::visit(
      [&](auto& values) {
        using Value = typename std::decay_t<decltype(values)>::value_type;
        const auto odd = [&]() -> Value {
          const double value = kOdd[random.below(std::size(kOdd))];
          if constexpr (std::is_integral_v<Value>)
            return std::isfinite(value) && std::abs(value) < 9e18 ? Value(value) : 0;
          return static_cast<Value>(value);
        };
        if (kind < 3 && !values.empty()) values[random.below(values.size())] = odd();
        if (kind == 3) std::ranges::generate(values, odd);
        if (kind == 4 && !values.empty()) {
          auto* bytes = reinterpret_cast<unsigned char*>(values.data());
          bytes[random.below(values.size() * sizeof(Value))] ^= static_cast<unsigned char>(1U << random.below(8));
        }
        if (kind == 5) values.resize(random.below(2) ? values.size() / 2 : values.size() + 3);
      },
      tensor.values);
  if (kind == 5 && random.below(2) && !tensor.shape.empty() && tensor.shape.back() > 0) {
    const auto size = static_cast<Index>(std::visit([](const auto& v) { return v.size(); }, tensor.values));
    tensor.shape[0] = size / std::max<Index>(1, tensor.shape.size() > 1 ? tensor.shape[1] : 1);
  }
  if (kind == 6) tensor.shape[random.below(tensor.shape.size())] += static_cast<Index>(random.below(5)) - 2;
  if (kind != 7) return;
  if (random.below(2)) {
    state.tensors.erase(state.tensors.begin() + static_cast<Index>(place));
  } else {
    Tensor copy = tensor;
    copy.name = state.tensors[random.below(state.tensors.size())].name;
    state.tensors.push_back(std::move(copy));
  }
}

/// STAD_DAMAGED_STATES sets the number of states, for a long run under sanitizers.
TEST(ContestState, WhateverDamagedStateIsAcceptedTheContestGoesOn) {
  const char* count = std::getenv("STAD_DAMAGED_STATES");
  const int trials = count ? std::atoi(count) : 150;
  for (const char* candidates : {"chains,fine-tune,recentre", "stad-vmf,half,prior,fine-tune,lame,t3a"}) {
    DamageCase tested(candidates);
    const AdapterState good = tested.run.adapter().state();
    const std::string bytes = tested.run.bytes();
    Random random(21);
    int accepted = 0;
    for (int trial = 0; trial < trials && !::testing::Test::HasFailure(); ++trial) {
      AdapterState bad = good;
      const auto damages = 1 + random.below(3);
      for (std::uint64_t i = 0; i < damages; ++i) damage_tensors(bad, random);
      accepted += survives(tested, candidates, bad) ? 1 : 0;
      std::string flipped = bytes;
      flipped[random.below(flipped.size())] ^= static_cast<char>(1U << random.below(8));
      if (const auto read = state_from_bytes(flipped)) accepted += survives(tested, candidates, *read) ? 1 : 0;
      EXPECT_FALSE(::testing::Test::HasFailure()) << "trial " << trial;
    }
    EXPECT_GT(accepted, 0) << "some damage goes unnoticed, and is harmless";
    ::testing::Test::RecordProperty("accepted", accepted);
  }
}

}  // namespace
}  // namespace stad::testing
