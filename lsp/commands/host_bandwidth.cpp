// The triad of STREAM, a = b + s * c, over arrays far larger than caches; the best of some rounds
// counts. A store to memory that was not loaded counts once, as STREAM counts it.
#include "commands/host_bandwidth.h"
#include "base/files.h"
#include "driver/caches.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cufc {
namespace {

constexpr size_t megabytes = 64; // of each array
constexpr size_t elements = (megabytes << 20) / sizeof(double);
constexpr int rounds = 5;

unsigned coresHere() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return sched_getaffinity(0, sizeof cores, &cores) == 0
             ? static_cast<unsigned>(std::max(1, CPU_COUNT(&cores)))
             : 1;
}

void inParts(unsigned parts, const auto &work) {
  std::vector<std::thread> threads;
  size_t each = elements / parts;
  for (unsigned part = 0; part < parts; ++part)
    threads.emplace_back(work, part * each, part + 1 == parts ? elements : (part + 1) * each);
  for (std::thread &thread : threads)
    thread.join();
}

double measure(unsigned cores) {
  auto array = [] { return std::unique_ptr<double[]>(new double[elements]); };
  std::unique_ptr<double[]> a = array(), b = array(), c = array();
  inParts(cores, [&](size_t begin, size_t end) { // pages lie where they are first written
    for (size_t i = begin; i < end; ++i) {
      a[i] = 0;
      b[i] = static_cast<double>(i);
      c[i] = 1;
    }
  });
  double best = 0;
  for (int round = 0; round < rounds; ++round) {
    auto start = std::chrono::steady_clock::now();
    inParts(cores, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        a[i] = b[i] + round * c[i];
    });
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::max(best, 3.0 * sizeof(double) * elements / taken.count() / 1e9);
  }
  return a[elements - 1] >= 0 ? best : 0; // so that the sums are made
}

} // namespace

double hostGigabytes() {
  unsigned cores = coresHere();
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::string file = writableCacheFolder("bandwidth") + fmt::format("/{}-{}", host, cores), text;
  if (readFile(file, text))
    return std::strtod(text.c_str(), nullptr);
  double measured = measure(cores);
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  writeFile(file, fmt::format("{:.2f}\n", measured));
  return measured;
}

} // namespace cufc
