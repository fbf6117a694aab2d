#pragma once

#include <future>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "serving/store/store.hpp"
#include "support/temporary_directory.hpp"

namespace stad::serving::testing {

using stad::testing::TemporaryDirectory;

inline std::unique_ptr<Store> open_store(const std::string& path) {
  auto opened = Store::open(path);
  if (!opened) throw std::runtime_error(opened.error().message);
  return *std::move(opened);
}

inline std::string error_of_opening(const std::string& path) {
  const auto opened = Store::open(path);
  return opened ? "" : opened.error().message;
}

inline std::string random_bytes(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(length, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() >> 56U);
  return bytes;
}

/// The record of a stream after so many batches: everything in it follows from the number and the length.
inline StreamRecord numbered_record(std::int64_t number, std::size_t length, std::int64_t answers = 16) {
  StreamRecord record{.state = random_bytes(length, static_cast<std::uint64_t>(number)),
                      .batches = number,
                      .rows = number * 64,
                      .updated = 1.8e9 + static_cast<double>(number) / 8,
                      .answers = {}};
  for (std::int64_t i = std::max<std::int64_t>(0, number - answers); i < number; ++i)
    record.answers.push_back(
        {.key = "key " + std::to_string(i),
         .digest = ~static_cast<std::uint64_t>(i),
         .json_length = i % 3 - 1,
         .body = random_bytes(static_cast<std::size_t>(i * 37 % 9000), static_cast<std::uint64_t>(i))});
  return record;
}

inline bool same(const StreamRecord& a, const StreamRecord& b) {
  return a.state == b.state && a.batches == b.batches && a.rows == b.rows && a.updated == b.updated &&
         a.answers == b.answers;
}

/// Calls a writing function with a Done, and waits for what it is told.
template <typename Write>
Status wait_for(Write write) {
  std::promise<Status> finished;
  write([&](const Status& status) { finished.set_value(status); });
  return finished.get_future().get();
}

inline Status save(Store& store, const StreamName& name, StreamRecord record) {
  return wait_for([&](Store::Done done) { store.save(name, std::move(record), std::move(done)); });
}

inline Result<std::int64_t> take_snapshot(Store& store, const StreamName& name, StreamRecord record,
                                          const std::string& note, std::int64_t kept) {
  std::promise<Result<std::int64_t>> finished;
  store.snapshot(name, std::move(record), note, kept,
                 [&](Result<std::int64_t> id) { finished.set_value(std::move(id)); });
  return finished.get_future().get();
}

inline StreamRecord load(const Store& store, const StreamName& name) {
  auto loaded = store.load(name);
  if (!loaded) throw std::runtime_error(loaded.error().message);
  if (!*loaded) throw std::runtime_error("no stream " + name.stream + " of model " + name.model);
  return **std::move(loaded);
}

}  // namespace stad::serving::testing
