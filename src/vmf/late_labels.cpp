#include "vmf/late_labels.hpp"

namespace stad::vmf {

template <typename Scalar>
void name_rows(std::span<const std::int64_t> ids, std::span<const Index> places, Window<Scalar>& window) {
  Step<Scalar>& step = window.newest();
  step.ids.clear();
  step.known.clear();
  if (ids.empty()) return;
  for (const Index place : places) step.ids.push_back(ids[place]);
}

template <typename Scalar>
bool set_known(std::int64_t id, Index label, Window<Scalar>& window) {
  const Index oldest = window.full() ? 1 : 0;  // the first step of a full window slides out before the next sweep
  for (Index i = window.size() - 1; i >= oldest; --i) {
    Step<Scalar>& step = window.steps[i];
    for (std::size_t n = step.ids.size(); n-- > 0;) {
      if (step.ids[n] != id) continue;
      if (step.known.empty()) step.known.assign(step.ids.size(), kNotKnown);
      step.known[n] = label;
      return true;
    }
  }
  return false;
}

#define STAD_INSTANTIATE(Scalar)                                                                   \
  template void name_rows(std::span<const std::int64_t>, std::span<const Index>, Window<Scalar>&); \
  template bool set_known(std::int64_t, Index, Window<Scalar>&);

STAD_INSTANTIATE(float)
STAD_INSTANTIATE(double)

}  // namespace stad::vmf
