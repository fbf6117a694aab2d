// How stad-safe's memory becomes named tensors and back: the model names every part once, for both ways.

#include <algorithm>
#include <limits>

#include "adapt/stad_safe_adapter.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "data/feature_rules.hpp"

namespace stad {
namespace {

class Writer {
 public:
  explicit Writer(std::vector<Tensor>& tensors, std::string prefix = {}) : tensors_(tensors), prefix_(prefix) {}

  template <typename Part>
  void part(const std::string& name, Part& part) {
    part.visit(Writer(tensors_, prefix_ + name));
  }
  template <typename Part>
  void part_in_use(const std::string& name, Part& part) {
    if (part.in_use()) this->part(name, part);
  }
  template <typename Scalar>
  void rows(const std::string& name, const Rows<Scalar>& values) {
    tensors_.push_back(to_tensor(prefix_ + name, values));
  }
  void probabilities(const std::string& name, const FloatRows& values) { rows(name, values); }
  void numbers(const std::string& name, const std::vector<double>& values, double, double) {
    tensors_.push_back(to_tensor(prefix_ + name, values));
  }
  void number(const std::string& name, double value, double, double) { numbers(name, {value}, 0, 0); }
  void time(const std::string& name, const std::optional<double>& time) {
    numbers(name, time ? std::vector<double>{*time} : std::vector<double>{}, 0, 0);
  }
  void mean(const std::string& name, const safe::MovingMean& mean) { numbers(name, {mean.sum, mean.weight}, 0, 0); }
  void names(const std::string& name, const std::vector<std::int64_t>& values) {
    tensors_.push_back(to_tensor(prefix_ + name, values));
  }
  void labels(const std::string& name, const std::vector<Index>& values) {
    names(name, std::vector<std::int64_t>(values.begin(), values.end()));
  }
  void label(const std::string& name, Index label) { names(name, {label}); }
  void place(const std::string& name, Index place, Index) { names(name, {place}); }

 private:
  std::vector<Tensor>& tensors_;
  std::string prefix_;
};

/// Reads until something is wrong, which it then keeps.
class Reader {
 public:
  Reader(const AdapterState& state, Status& status, Index& count, std::string prefix = {})
      : state_(state), status_(status), count_(count), prefix_(std::move(prefix)) {}

  template <typename Part>
  void part(const std::string& name, Part& part) {
    part.visit(Reader(state_, status_, count_, prefix_ + name));
  }
  /// A state without a tensor of the part was made before there was anything in it.
  template <typename Part>
  void part_in_use(const std::string& name, Part& part) {
    const std::string prefix = prefix_ + name;
    const auto is_of_part = [&](const Tensor& tensor) { return tensor.name.starts_with(prefix); };
    if (std::any_of(state_.tensors.begin(), state_.tensors.end(), is_of_part))
      this->part(name, part);
    else
      part.clear();
  }
  template <typename Scalar>
  void rows(const std::string& name, Rows<Scalar>& values) {
    take(read_rows<Scalar>(state_, prefix_ + name, values.rows(), values.cols()), values);
  }
  void probabilities(const std::string& name, FloatRows& values) {
    constexpr float kLargestRounded = 1 + 1e-5F;  // float32 normalisation leaves values a few roundings above 1
    rows(name, values);
    if (status_ && (values.minCoeff() < 0 || values.maxCoeff() > kLargestRounded))
      status_ = invalid("state: " + prefix_ + name + " has a value outside 0 to 1");
  }
  void numbers(const std::string& name, std::vector<double>& values, double least, double most) {
    take(read_doubles(state_, prefix_ + name, static_cast<Index>(values.size()), least, most), values);
  }
  void number(const std::string& name, double& value, double least, double most) {
    std::vector<double> values{value};
    numbers(name, values, least, most);
    value = values[0];
  }
  /// None, or one.
  void time(const std::string& name, std::optional<double>& time) {
    std::vector<double> values;
    take(read_doubles(state_, prefix_ + name, kAnyLength, -kLatestTime, kLatestTime), values);
    if (values.size() > 1 && status_) status_ = invalid("state: " + prefix_ + name + " has more than one value");
    time = values.empty() ? std::nullopt : std::optional(values[0]);
  }
  void mean(const std::string& name, safe::MovingMean& mean) {
    std::vector<double> values{mean.sum, mean.weight};
    numbers(name, values, -kMostRows, kMostRows);
    mean = {values[0], std::max(values[1], 0.0)};
    if (status_ && (values[1] < 0 || std::abs(values[0]) > kWhole * values[1]))
      status_ = invalid("state: " + prefix_ + name + " is no mean of values from -1 to 1");
  }
  void names(const std::string& name, std::vector<std::int64_t>& values) {
    using Limits = std::numeric_limits<std::int64_t>;
    integers(name, values, Limits::min(), Limits::max());
  }
  void labels(const std::string& name, std::vector<Index>& values) { integers(name, values, -1, state_.classes - 1); }
  void label(const std::string& name, Index& label) { integer(name, label, -1, state_.classes - 1); }
  void place(const std::string& name, Index& place, Index places) { integer(name, place, 0, places - 1); }

 private:
  static constexpr double kMostRows = 1e9;

  template <typename Integer>
  void integers(const std::string& name, std::vector<Integer>& values, std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> read(values.begin(), values.end());
    take(read_integers(state_, prefix_ + name, static_cast<Index>(values.size()), least, most), read);
    values.assign(read.begin(), read.end());
  }
  void integer(const std::string& name, Index& value, std::int64_t least, std::int64_t most) {
    std::vector<Index> values{value};
    integers(name, values, least, most);
    value = values[0];
  }

  template <typename Value>
  void take(Result<Value> read, Value& to) {
    ++count_;
    if (!status_) return;
    if (read)
      to = *std::move(read);
    else
      status_ = read.error();
  }

  const AdapterState& state_;
  Status& status_;
  Index& count_;
  std::string prefix_;
};

}  // namespace

std::vector<Tensor> StadSafeAdapter::save() const {
  std::vector<Tensor> tensors;
  safe::Model model = model_;  // a visit may write, as far as the compiler knows
  model.visit(Writer(tensors));
  return tensors;
}

Status StadSafeAdapter::load(const AdapterState& state) {
  safe::Model model = model_;
  Status status;
  Index count = 0;
  model.visit(Reader(state, status, count));
  STAD_TRY(status);
  STAD_TRY(check_tensor_count(state, count));
  model_ = std::move(model);
  return {};
}

}  // namespace stad
