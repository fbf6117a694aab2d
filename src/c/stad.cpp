// C API: handles for the C++ objects and status codes for errors. No exception leaves it.

#include <stad/stad.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include <stad/files.hpp>
#include <stad/methods.hpp>
#include <stad/version.hpp>

#include "base/try.hpp"

struct stad_source {
  stad::SourceModel model;
};

struct stad_adapter {
  stad::AdapterPointer adapter;
  stad::Predictions answer;                  ///< of the last stad_adapt; its memory is reused
  std::vector<std::string> candidate_names;  ///< which stad_candidate points to; fixed, as the candidates are
};

namespace stad {
namespace {

thread_local std::string last_error;

stad_status fail(const Error& error) {
  last_error = error.message;
  return error.kind == ErrorKind::kInvalid ? STAD_INVALID : STAD_FAILED;
}

/// Reports an error without allocating: the text must fit the small buffer of std::string.
stad_status fail_briefly(const char* reason) noexcept {
  last_error = reason;
  return STAD_FAILED;
}

/// Calls work() and converts its result and exceptions to a status.
template <typename Work>
stad_status guarded(const Work& work) noexcept {
  try {
    const Status status = work();
    return status ? STAD_OK : fail(status.error());
  } catch (const std::bad_alloc&) {
    return fail_briefly("out of memory");
  } catch (const std::exception& exception) {
    try {
      return fail(failed(exception.what()));
    } catch (...) {
      return fail_briefly("out of memory");
    }
  } catch (...) {
    return fail_briefly("unknown error");
  }
}

/// Called inside guarded(), which handles std::bad_alloc.
template <typename Handle>
Handle* new_handle(Handle handle) {
  return new Handle(std::move(handle));
}

template <typename T>
Status given(const T* pointer, const char* name) {
  if (pointer) return {};
  return invalid(std::string(name) + " is NULL, must not be NULL");
}

std::vector<float> values(const float* from, std::size_t count) {
  return from ? std::vector<float>(from, from + count) : std::vector<float>();
}

Result<Batch> to_batch(const stad_batch* given_batch, Index dimension) {
  STAD_TRY(given(given_batch, "batch"));
  const stad_batch& batch = *given_batch;
  if (batch.rows > 0) STAD_TRY(given(batch.features, "batch: features"));
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<Index>::max()) / sizeof(float);
  const std::size_t stride = batch.stride == 0 ? static_cast<std::size_t>(dimension) : batch.stride;
  if (stride < static_cast<std::size_t>(dimension))
    return invalid("batch: stride is " + std::to_string(stride) + ", must be at least " + std::to_string(dimension) +
                   ", the number of values of a row");
  if (batch.rows > kMost / stride)
    return invalid("batch: has " + std::to_string(batch.rows) + " rows, too many for memory");
  Batch made(MatrixView(batch.features, static_cast<Index>(batch.rows), dimension, static_cast<Index>(stride)));
  if (batch.time) made.time = *batch.time;
  if (batch.ids) made.ids = {batch.ids, batch.rows};
  return made;
}

Health candidate_health(const Adapter& adapter) {
  Health health;
  adapter.write_candidates(health);
  return health;
}

std::vector<std::string> candidate_names(const Adapter& adapter) {
  std::vector<std::string> names;
  for (const CandidateStatus& candidate : candidate_health(adapter).candidates) names.push_back(candidate.name);
  return names;
}

/// Checks that a list of the caller, if one is given, has space for all elements.
Status check_capacity(const void* list, const char* name, std::size_t capacity, std::size_t needed) {
  if (!list || capacity >= needed) return {};
  return invalid("capacity is " + std::to_string(capacity) + ", must be at least " + std::to_string(needed) +
                 "; pass " + name + " = NULL to get this number");
}

stad_candidate to_candidate(const CandidateStatus& status, const std::string& name) {
  return {.name = name.c_str(),
          .answers = static_cast<int>(status.answers),
          .live = static_cast<int>(status.live),
          .wealth = status.wealth,
          .threshold = status.threshold,
          .watch = status.watch,
          .attempt = static_cast<std::size_t>(status.attempt)};
}

void copy_answer(const Predictions& answer, std::int64_t* labels, float* probabilities) {
  if (labels) std::ranges::copy(answer.labels, labels);
  if (probabilities)
    std::copy_n(answer.probabilities.data(), static_cast<std::size_t>(answer.probabilities.size()), probabilities);
}

}  // namespace
}  // namespace stad

using stad::given;
using stad::guarded;
using stad::new_handle;
using stad::Status;

const char* stad_version(void) noexcept { return stad::kVersion; }

const char* stad_last_error(void) noexcept { return stad::last_error.c_str(); }

stad_status stad_source_create(const float* weight, const float* bias, const float* mean, size_t classes,
                               size_t dimension, stad_source** source) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(weight, "weight"));
    STAD_TRY(given(source, "source"));
    constexpr auto kMost = static_cast<size_t>(std::numeric_limits<stad::Index>::max()) / sizeof(float);
    if (dimension > 0 && classes > kMost / dimension)
      return stad::invalid("weight: has too many values, must fit memory");
    stad::Matrix rows(static_cast<stad::Index>(classes), static_cast<stad::Index>(dimension));
    std::copy_n(weight, classes * dimension, rows.data());
    STAD_ASSIGN(stad::SourceModel model,
                stad::SourceModel::create(std::move(rows), stad::values(bias, classes), stad::values(mean, dimension)));
    *source = new_handle(stad_source{std::move(model)});
    return {};
  });
}

stad_status stad_source_read(const char* path, stad_source** source) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(path, "path"));
    STAD_TRY(given(source, "source"));
    STAD_ASSIGN(stad::SourceModel model, stad::read_source(path));
    *source = new_handle(stad_source{std::move(model)});
    return {};
  });
}

stad_status stad_source_with_card(const stad_source* source, const float* features, size_t rows, const int64_t* labels,
                                  stad_source** with_card) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(source, "source"));
    STAD_TRY(given(features, "features"));
    STAD_TRY(given(labels, "labels"));
    STAD_TRY(given(with_card, "with_card"));
    const stad_batch batch{.features = features, .rows = rows, .stride = 0, .time = nullptr, .ids = nullptr};
    STAD_ASSIGN(const stad::Batch made, stad::to_batch(&batch, source->model.dimension()));
    STAD_ASSIGN(stad::SourceModel model, source->model.with_card(made.features, std::span(labels, rows)));
    *with_card = new_handle(stad_source{std::move(model)});
    return {};
  });
}

void stad_source_free(stad_source* source) noexcept { delete source; }

size_t stad_source_classes(const stad_source* source) noexcept {
  return source ? static_cast<size_t>(source->model.classes()) : 0;
}

size_t stad_source_dimension(const stad_source* source) noexcept {
  return source ? static_cast<size_t>(source->model.dimension()) : 0;
}

stad_status stad_adapter_create(const stad_source* source, const char* method, const stad_option* options,
                                size_t option_count, stad_adapter** adapter) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(source, "source"));
    STAD_TRY(given(method, "method"));
    STAD_TRY(given(adapter, "adapter"));
    stad::OptionValues values;
    for (size_t i = 0; i < option_count; ++i) {
      STAD_TRY(given(options, "options"));
      STAD_TRY(given(options[i].name, "option name"));
      STAD_TRY(given(options[i].value, "option value"));
      values.emplace_back(options[i].name, options[i].value);
    }
    STAD_ASSIGN(stad::AdapterPointer made, stad::make_adapter(method, source->model, values));
    std::vector<std::string> names = stad::candidate_names(*made);
    *adapter = new_handle(stad_adapter{std::move(made), {}, std::move(names)});
    return {};
  });
}

void stad_adapter_free(stad_adapter* adapter) noexcept { delete adapter; }

stad_status stad_adapt(stad_adapter* adapter, const stad_batch* batch, int64_t* labels, float* probabilities) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    STAD_ASSIGN(const stad::Batch rows, stad::to_batch(batch, adapter->adapter->input_dimension()));
    STAD_TRY(adapter->adapter->adapt(rows, adapter->answer));
    stad::copy_answer(adapter->answer, labels, probabilities);
    return {};
  });
}

stad_status stad_predict(const stad_adapter* adapter, const stad_batch* batch, int64_t* labels,
                         float* probabilities) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    STAD_ASSIGN(const stad::Batch rows, stad::to_batch(batch, adapter->adapter->input_dimension()));
    STAD_ASSIGN(const stad::Predictions answer, adapter->adapter->predict(rows));
    stad::copy_answer(answer, labels, probabilities);
    return {};
  });
}

stad_status stad_observe(stad_adapter* adapter, const int64_t* ids, const int64_t* labels, size_t count,
                         size_t* used) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    if (count > 0) {
      STAD_TRY(given(ids, "ids"));
      STAD_TRY(given(labels, "labels"));
    }
    STAD_ASSIGN(const stad::Observed observed,
                adapter->adapter->observe(std::span(ids, count), std::span(labels, count)));
    if (used) *used = static_cast<size_t>(observed.used);
    return {};
  });
}

stad_status stad_observe_rows(stad_adapter* adapter, const stad_batch* batch, const int64_t* labels, int uniform_sample,
                              size_t* used) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    STAD_ASSIGN(const stad::Batch rows, stad::to_batch(batch, adapter->adapter->input_dimension()));
    if (batch->rows > 0) STAD_TRY(given(labels, "labels"));
    const auto sampling = uniform_sample ? stad::LabelSampling::kUniform : stad::LabelSampling::kAny;
    STAD_ASSIGN(const stad::Observed observed,
                adapter->adapter->observe(rows, std::span(labels, batch->rows), sampling));
    if (used) *used = static_cast<size_t>(observed.used);
    return {};
  });
}

stad_status stad_label_requests(const stad_adapter* adapter, size_t* rows, size_t capacity, size_t* count) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    STAD_TRY(given(count, "count"));
    const std::vector<stad::Index>& requests = adapter->answer.label_requests;
    STAD_TRY(stad::check_capacity(rows, "rows", capacity, requests.size()));
    if (rows) std::ranges::copy(requests, rows);
    *count = requests.size();
    return {};
  });
}

stad_status stad_adapter_candidates(const stad_adapter* adapter, stad_candidate* candidates, size_t capacity,
                                    size_t* count) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    STAD_TRY(given(count, "count"));
    const std::vector<std::string>& names = adapter->candidate_names;
    STAD_TRY(stad::check_capacity(candidates, "candidates", capacity, names.size()));
    if (candidates)
      std::ranges::transform(stad::candidate_health(*adapter->adapter).candidates, names, candidates,
                             stad::to_candidate);
    *count = names.size();
    return {};
  });
}

stad_status stad_adapter_health(const stad_adapter* adapter, stad_health* health) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    STAD_TRY(given(health, "health"));
    const double none = std::numeric_limits<double>::quiet_NaN();
    const stad::Health& latest = adapter->answer.health;
    const auto& guard = latest.guard;
    *health = {.confidence = latest.is_told() ? latest.confidence : none,
               .flip_rate = latest.compared > 0 ? latest.flip_rate() : none,
               .zeta = guard ? guard->zeta : none,
               .excess = guard ? guard->excess : none,
               .autocorrelation = guard ? guard->autocorrelation : none,
               .warning = latest.warning ? static_cast<int>(*latest.warning) : -1,
               .chains = guard ? static_cast<int>(guard->chains) : -1};
    return {};
  });
}

stad_status stad_adapter_state(const stad_adapter* adapter, void** bytes, size_t* size) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    STAD_TRY(given(bytes, "bytes"));
    STAD_TRY(given(size, "size"));
    STAD_ASSIGN(const std::string text, stad::state_to_bytes(adapter->adapter->state()));
    void* copy = std::malloc(text.size());
    if (!copy) return stad::failed("state: out of memory");
    std::ranges::copy(text, static_cast<char*>(copy));
    *bytes = copy;
    *size = text.size();
    return {};
  });
}

void stad_bytes_free(void* bytes) noexcept { std::free(bytes); }

stad_status stad_adapter_restore(stad_adapter* adapter, const void* bytes, size_t size) noexcept {
  return guarded([&]() -> Status {
    STAD_TRY(given(adapter, "adapter"));
    if (size > 0) STAD_TRY(given(bytes, "bytes"));
    STAD_ASSIGN(const stad::AdapterState state, stad::state_from_bytes({static_cast<const char*>(bytes), size}));
    return adapter->adapter->restore(state);
  });
}
