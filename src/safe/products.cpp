#include "safe/products.hpp"

#include "base/parallel.hpp"
#include "math/row_products.hpp"
#include "math/scratch_rows.hpp"

namespace stad::safe {
namespace {

template <typename Address, typename Map>
std::span<Address> addresses(Map& rows, Index first, Index count, Scratch& scratch) {
  const auto out = scratch.take<Address>(count);
  for (Index i = 0; i < count; ++i) out[i] = rows.data() + (first + i) * rows.cols();
  return out;
}

}  // namespace

void multiply(const ConstRows& rows, const ConstRows& directions, FloatRowsMap cosines) {
  parallel_for_runs(rows.rows(), directions.size(), [&](Index first, Index length) {
    Scratch scratch;
    const auto a = addresses<const float*>(rows, first, length, scratch);
    const auto b = addresses<const float*>(directions, 0, directions.rows(), scratch);
    const auto out = addresses<float*>(cosines, first, length, scratch);
    inner_products<float>(a, b, rows.cols(), out);
  });
}

void listen(const ConstRows& shares, const ConstRows& rows, Heard heard) {
  Scratch scratch;
  auto by_class = take_rows<float>(scratch, shares.cols(), shares.rows());
  by_class = shares.transpose();
  for (Index k = 0; k < by_class.rows(); ++k) heard.masses[k] = by_class.row(k).cast<double>().sum();
  parallel_for_runs(by_class.rows(), rows.size(), [&](Index first, Index length) {
    Scratch mine;
    const auto weights = addresses<const float*>(by_class, first, length, mine);
    const auto samples = addresses<const float*>(rows, 0, rows.rows(), mine);
    const auto out = addresses<float*>(heard.sums, first, length, mine);
    weighted_sums<float>(weights, samples, rows.cols(), out);
  });
}

}  // namespace stad::safe
