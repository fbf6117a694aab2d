#include "adapter.hpp"

#include <chrono>

#include <stad/files.hpp>

namespace stad::python {
namespace {

/// Called between batches: returns false once a Python signal handler has raised, so that Ctrl-C ends a run. Checks at
/// most every 50 ms, because acquiring the interpreter's lock may block and a batch may take only microseconds.
class SignalCheck {
 public:
  bool operator()(const Progress&) {
    if (Clock::now() < next_) return true;
    const py::gil_scoped_acquire acquire;
    const bool proceed = PyErr_CheckSignals() == 0;
    next_ = Clock::now() + kPause;
    return proceed;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPause{50};

  Clock::time_point next_ = Clock::now() + kPause;
};

/// Calls make() without the interpreter's lock: constructing an adapter of a network takes long.
template <typename Make>
AdapterPointer make_unlocked(const Make& make) {
  const py::gil_scoped_release release;
  return need(make());
}

}  // namespace

SharedAdapter::SharedAdapter(const std::string& method, const SourceModel& source, const OptionValues& options)
    : adapter_(make_unlocked([&] { return make_adapter(method, source, options); })) {}

SharedAdapter::SharedAdapter(const std::string& method, const Network& network, const OptionValues& options)
    : adapter_(make_unlocked([&] { return network.backbone().make_adapter(method, network.shape(), options); })),
      shape_(network.shape()) {}

SharedAdapter::SharedAdapter(const ImageStream& labelled, const Network& network, const OptionValues& options)
    : shape_(network.shape()) {
  check_shape(labelled, "labelled");
  adapter_ = make_unlocked([&] { return network.backbone().make_oracle(labelled, options); });
}

void SharedAdapter::check_shape(const ImageStream& images, const char* name) const {
  if (images.shape == *shape_) return;
  throw py::value_error(std::string(name) + ": has images of " + shape_text(images.shape) + ", must have " +
                        shape_text(*shape_));
}

Rows SharedAdapter::input_of(const py::handle& object, const char* name) const {
  return shape_ ? image_rows_of(object, *shape_, "images") : rows_of(object, name);
}

std::shared_ptr<Answer> SharedAdapter::adapt(const py::object& features, std::optional<double> time,
                                             const py::object& ids) {
  const Rows rows = input_of(features, "features");
  const auto row_ids = ids.is_none() ? std::vector<std::int64_t>() : integers_of(ids, "ids");
  auto answer = std::make_shared<Answer>();
  Batch batch(rows.view);
  batch.time = time;
  batch.ids = row_ids;
  need(exclusively([&] { return adapter_->adapt(batch, answer->predictions); }));
  return answer;
}

std::shared_ptr<Answer> SharedAdapter::answer(const py::object& features) const {
  const Rows rows = input_of(features, "X");
  auto answer = std::make_shared<Answer>();
  need(exclusively([&] { return adapter_->predict(rows.view, answer->predictions); }));
  return answer;
}

std::pair<Index, Index> SharedAdapter::observe(const py::object& ids, const py::object& labels) {
  const auto rows = integers_of(ids, "ids");
  const auto classes = integers_of(labels, "labels");
  const Observed observed = need(exclusively([&] { return adapter_->observe(rows, classes); }));
  return {observed.used, observed.forgotten};
}

std::pair<Index, Index> SharedAdapter::observe_rows(const py::object& features, const py::object& labels,
                                                    bool uniform_sample) {
  const Rows rows = input_of(features, "features");
  const auto classes = integers_of(labels, "labels");
  const auto sampling = uniform_sample ? LabelSampling::kUniform : LabelSampling::kAny;
  const Observed observed = need(exclusively([&] { return adapter_->observe(Batch(rows.view), classes, sampling); }));
  return {observed.used, observed.forgotten};
}

RunReport SharedAdapter::evaluate(const FeatureStream& stream, const BatchSettings& settings) {
  auto report = exclusively([&] { return run(*adapter_, stream, settings, SignalCheck()); });
  if (PyErr_Occurred()) throw py::error_already_set();
  return need(std::move(report));
}

RunReport SharedAdapter::evaluate(const ImageStream& stream, const BatchSettings& settings) {
  if (!shape_)
    throw py::value_error("stream: contains images, must contain features, because the adapter has no network");
  check_shape(stream, "stream");
  return evaluate(stream.pixels, settings);
}

py::bytes SharedAdapter::state() const {
  return need(exclusively([&] { return state_to_bytes(adapter_->state()); }));
}

void SharedAdapter::restore(const py::bytes& state) {
  const auto bytes = static_cast<std::string_view>(state);
  const AdapterState read = need(state_from_bytes(bytes));
  need(exclusively([&] { return adapter_->restore(read); }));
}

Matrix SharedAdapter::prototypes() const {
  return exclusively([&] { return adapter_->prototypes(); });
}

Health SharedAdapter::health() const {
  return exclusively([&] { return adapter_->health(); });
}

void SharedAdapter::watch(const std::string& level) {
  const auto parsed = [&] {
    if (level == "none") return HealthLevel::kNone;
    if (level == "basic") return HealthLevel::kBasic;
    if (level == "full") return HealthLevel::kFull;
    throw py::value_error("level is '" + level + "', must be one of none, basic, full");
  }();
  exclusively([&] { adapter_->watch(parsed); });
}

}  // namespace stad::python
