// Requests of the service read and answers written, each held against what went in and then timed.

#include <cstring>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "serving/protocol/infer_request.hpp"
#include "serving/protocol/infer_response.hpp"
#include "require.hpp"

namespace stad::benchmarks {
namespace {

using namespace stad::serving;

enum Form { kBinary, kFlat, kNested, kDataFirst };

Matrix random_rows(Index rows, Index cols) {
  Random random(1);
  Matrix values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(random.normal());
  return values;
}

std::string numbers_of(const Matrix& rows, bool is_nested) {
  std::string text;
  for (Index r = 0; r < rows.rows(); ++r) {
    const auto row = fmt::format("{}", fmt::join(rows.row(r), ","));
    text += (r == 0 ? "" : ",") + (is_nested ? "[" + row + "]" : row);
  }
  return "[" + text + "]";
}

struct Sent {
  std::string body;
  std::optional<std::size_t> json_length;
};

Sent request_of(const Matrix& rows, Form form) {
  const auto description =
      fmt::format(R"("name":"features","shape":[{},{}],"datatype":"FP32")", rows.rows(), rows.cols());
  const auto size = static_cast<std::size_t>(rows.size()) * sizeof(float);
  const auto tensor = form == kBinary ? fmt::format(R"({},"parameters":{{"binary_data_size":{}}})", description, size)
                      : form == kDataFirst
                          ? fmt::format(R"("data":{},{})", numbers_of(rows, true), description)
                          : fmt::format(R"({},"data":{})", description, numbers_of(rows, form == kNested));
  Sent sent{fmt::format(R"({{"id":"r-1","parameters":{{"sequence_id":"camera-7","binary_data_output":true}},)"
                        R"("inputs":[{{{}}}]}})",
                        tensor),
            {}};
  if (form != kBinary) return sent;
  sent.json_length = sent.body.size();
  sent.body.append(reinterpret_cast<const char*>(rows.data()), size);
  return sent;
}

/// Rows, columns, form.
void time_read(benchmark::State& state) {
  const Matrix rows = random_rows(state.range(0), state.range(1));
  const Sent sent = request_of(rows, static_cast<Form>(state.range(2)));
  require(read_infer_request(sent.body, sent.json_length, {}).features == rows, "the rows read are not those sent");
  for (auto _ : state) benchmark::DoNotOptimize(read_infer_request(sent.body, sent.json_length, {}));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * sent.body.size()));
  state.counters["body"] = static_cast<double>(sent.body.size());
}
BENCHMARK(time_read)
    ->Name("read_infer_request")
    ->ArgNames({"rows", "columns", "form"})
    ->ArgsProduct({{1}, {512}, {kBinary, kFlat, kNested, kDataFirst}})
    ->ArgsProduct({{176}, {512}, {kBinary, kFlat, kNested, kDataFirst}})
    ->Unit(benchmark::kMicrosecond);

std::vector<float> probabilities_in(const InferResponse& response, std::size_t count) {
  const auto json = nlohmann::json::parse(response.body.substr(0, response.json_length.value_or(std::string::npos)));
  if (!response.json_length) return json["outputs"][1]["data"].get<std::vector<float>>();
  std::vector<float> values(count);
  std::memcpy(values.data(), response.body.data() + response.body.size() - count * sizeof(float),
              count * sizeof(float));
  return values;
}

/// Rows, classes, form.
void time_write(benchmark::State& state) {
  InferRequest request;
  request.id = "r-1";
  request.stream = "camera-7";
  request.label.binary = request.probabilities.binary = state.range(2) == kBinary;
  InferAnswer answer;
  answer.labels.resize(static_cast<std::size_t>(state.range(0)), 7);
  answer.probabilities = random_rows(state.range(0), state.range(1));
  answer.mode = "active";
  const auto response = write_infer_response("digits", request, answer);
  const float* values = answer.probabilities.data();
  const auto count = static_cast<std::size_t>(answer.probabilities.size());
  require(probabilities_in(response, count) == std::vector<float>(values, values + count),
          "the probabilities written are not those answered");
  for (auto _ : state) benchmark::DoNotOptimize(write_infer_response("digits", request, answer));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * response.body.size()));
  state.counters["body"] = static_cast<double>(response.body.size());
}
BENCHMARK(time_write)
    ->Name("write_infer_response")
    ->ArgNames({"rows", "classes", "form"})
    ->ArgsProduct({{1}, {10, 512}, {kBinary, kFlat}})
    ->ArgsProduct({{176}, {512}, {kBinary, kFlat}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace stad::benchmarks

BENCHMARK_MAIN();
