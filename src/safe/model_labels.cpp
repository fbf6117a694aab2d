// What the model makes of labels that come after their rows. [safe-labels]

#include "math/scratch_rows.hpp"
#include "safe/model.hpp"

namespace stad::safe {

bool Model::observe(std::int64_t id, Index label) {
  const Index place = remembered_.find(id);
  if (place == RememberedRows::kNone) return false;
  if (remembered_.label(place) == RememberedRows::kNone) verdicts_.count(remembered_.opinions(place), label);
  remembered_.set_label(place, label);

  // What the row has told the other classes is taken back, as far as it has not faded, and told to its own.
  const auto shares = remembered_.responsibilities(place);
  for (Index k = 0; k < source_.rows(); ++k) {
    const float share = k == label ? 1.0F : 0.0F;
    if (shares[k] == share) continue;
    memories_.amend(k, remembered_.row(place), remembered_.kept_since(place) * (share - shares[k]),
                    remembered_.heard_since(place, k));
    shares[k] = share;
  }
  return true;
}

void Model::observe(const ConstRows& rows, const SourceAnswer& source, std::span<const Index> labels) {
  Scratch scratch;
  // Asked before they are learned from: a classifier is no judge of rows whose labels it has been told.
  auto cosines = take_rows<float>(scratch, rows.rows(), source_.rows());
  write_cosines(rows, cosines);
  const auto opinions = ask_all(source, cosines, scratch);
  auto shares = take_rows<float>(scratch, rows.rows(), source_.rows());
  shares.setZero();
  for (Index n = 0; n < rows.rows(); ++n) {
    verdicts_.count(opinions[n], labels[n]);
    shares(n, labels[n]) = 1;
  }
  const Heard heard{scratch.take<double>(source_.rows()), take_rows<float>(scratch, source_.rows(), source_.cols())};
  listen(as_rows(shares), rows, heard);
  memories_.add(heard);
  remembered_.hear(as_rows(shares));
}

}  // namespace stad::safe
