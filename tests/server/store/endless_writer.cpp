// Saves one stream again and again, and writes the number of each save that was acknowledged to standard output.
// Arguments: the file, the number to begin with, the bytes of a state.

#include <unistd.h>

#include <cstdio>
#include <semaphore>

#include "server/store/store_test.hpp"

namespace {

constexpr int kUnderWay = 4;  // several at once, so that commits are shared

}  // namespace

int main(int count, char** arguments) {
  using namespace stad::serving;
  if (count != 4) return 2;
  const auto store = testing::open_store(arguments[1]);
  const auto length = static_cast<std::size_t>(std::stoll(arguments[3]));
  std::counting_semaphore<kUnderWay> capacity(kUnderWay);
  for (std::int64_t number = std::stoll(arguments[2]);; ++number) {
    capacity.acquire();
    store->save({"model", "stream"}, testing::numbered_record(number, length),
                [&capacity, number](const stad::Status& status) {
                  if (!status) {
                    std::fprintf(stderr, "%s\n", status.error().message.c_str());
                    _exit(3);
                  }
                  if (write(STDOUT_FILENO, &number, sizeof number) != sizeof number) _exit(4);
                  capacity.release();
                });
  }
}
