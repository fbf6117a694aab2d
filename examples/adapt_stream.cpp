// The library in a few lines: read a head and a stream, adapt batch by batch, keep the state.
//   adapt_stream STREAM.npz [STATE]

#include <iostream>

#include <stad/files.hpp>
#include <stad/methods.hpp>

int main(int argc, char** argv) {
  if (argc < 2) return std::cerr << "usage: adapt_stream STREAM.npz [STATE]\n", 2;
  const auto source = stad::read_source(argv[1]);  // weight, and where there are any bias, mean, classes
  const auto stream = stad::read_stream(argv[1]);
  if (!source || !stream) return std::cerr << (source ? stream.error() : source.error()).message << "\n", 2;

  auto adapter = stad::make_adapter(*source, stad::StadVmfOptions{.kappa_trans = 1000});
  if (!adapter) return std::cerr << adapter.error().message << "\n", 2;
  for (stad::Index row = 0; row + 64 <= stream->features.rows; row += 64) {
    const auto answer = (*adapter)->adapt(stream->features.rows_from(row, 64));
    if (!answer) return std::cerr << answer.error().message << "\n", 2;
    std::cout << "rows " << row << " to " << row + 63 << ": the first is " << source->class_names()[answer->labels[0]]
              << " with probability " << answer->probabilities(0, answer->labels[0]) << "\n";
  }
  if (argc > 2 && !stad::write_state(argv[2], (*adapter)->state())) return 1;
  return 0;
}
