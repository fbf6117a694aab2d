#include "adapter.hpp"

#include <stad/files.hpp>

namespace stad::python {

std::shared_ptr<Answer> SharedAdapter::adapt(const py::object& features, std::optional<double> time,
                                             const py::object& ids) {
  const Rows rows = rows_of(features, "features");
  const auto names = ids.is_none() ? std::vector<std::int64_t>() : integers_of(ids, "ids");
  auto answer = std::make_shared<Answer>();
  Batch batch(rows.view);
  batch.time = time;
  batch.ids = names;
  need(alone([&] { return adapter_->adapt(batch, answer->predictions); }));
  return answer;
}

std::shared_ptr<Answer> SharedAdapter::answer(const py::object& features) const {
  const Rows rows = rows_of(features, "X");
  auto answer = std::make_shared<Answer>();
  need(alone([&] { return adapter_->predict(rows.view, answer->predictions); }));
  return answer;
}

std::pair<Index, Index> SharedAdapter::observe(const py::object& ids_or_features, const py::object& labels,
                                               bool features) {
  const auto classes = integers_of(labels, "labels");
  Observed observed;
  if (features) {
    const Rows rows = rows_of(ids_or_features, "features");
    observed = need(alone([&] { return adapter_->observe(Batch(rows.view), classes); }));
  } else {
    const auto ids = integers_of(ids_or_features, "ids");
    observed = need(alone([&] { return adapter_->observe(ids, classes); }));
  }
  return {observed.used, observed.forgotten};
}

RunReport SharedAdapter::evaluate(const FeatureStream& stream, const BatchSettings& settings) {
  return need(alone([&] { return run(*adapter_, stream, settings); }));
}

py::bytes SharedAdapter::state() const {
  return py::bytes(need(alone([&] { return state_to_bytes(adapter_->state()); })));
}

void SharedAdapter::restore(const py::bytes& state) {
  const auto bytes = static_cast<std::string_view>(state);
  const AdapterState read = need(state_from_bytes(bytes));
  need(alone([&] { return adapter_->restore(read); }));
}

Matrix SharedAdapter::prototypes() const {
  return alone([&] { return adapter_->prototypes(); });
}

Health SharedAdapter::health() const {
  return alone([&] { return adapter_->health(); });
}

void SharedAdapter::watch(const std::string& level) {
  const auto wanted = [&] {
    if (level == "none") return HealthLevel::kNone;
    if (level == "basic") return HealthLevel::kBasic;
    if (level == "full") return HealthLevel::kFull;
    throw py::value_error("level is '" + level + "', must be one of none, basic, full");
  }();
  alone([&] { adapter_->watch(wanted); });
}

}  // namespace stad::python
