#include "bench/run/run_input.hpp"

namespace stad::cli::bench {
namespace {

Result<RunInput> with_rows(Result<AdapterPointer> adapter, FeatureStream rows) {
  if (!adapter) return adapter.error();
  return RunInput{*std::move(adapter), std::move(rows)};
}

/// The oracle learns from a share of the rows and answers the rest.
Result<RunInput> open_oracle(const PlannedRun& run, const ImageStream& images) {
  auto split = split_labelled(images, run.options);
  if (!split) return split.error();
  return with_rows(run.data->images()->backbone().make_oracle(split->labelled, run.options),
                   std::move(split->rest.pixels));
}

Result<RunInput> open_images(const PlannedRun& run) {
  const auto images = run.data->images()->hold_images();
  if (!images) return images.error();
  if (run.method->name == "oracle") return open_oracle(run, **images);
  FeatureStream rows = (*images)->pixels;
  rows.storage = *images;  // shared with the other runs for as long as one of them lasts
  return with_rows(run.data->images()->backbone().make_adapter(run.method->name, (*images)->shape, run.options),
                   std::move(rows));
}

}  // namespace

Result<RunInput> open_input(const PlannedRun& run, const KeepWorking& keep_working) {
  if (run.takes_images()) return open_images(run);
  const auto features = run.data->features(keep_working);
  if (!features) return features.error();
  return with_rows(make_adapter(run.method->name, run.data->source(), run.options), **features);
}

}  // namespace stad::cli::bench
