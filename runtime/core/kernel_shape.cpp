// See cufrt/kernel_shape.h. What is chosen is what tests/bench/cuf_kernels.sh measured as best on
// an H200.
//
// A block has 256 threads, which any kernel can have, whatever registers it needs, or 128 where
// neighbours in three dimensions are read. There are fewer if the blocks were too few for the GPU
// otherwise, and a dimension is no wider than its loop needs. In one dimension, and where values
// are reduced, there are as many threads as run at a time, which do several iterations: starting a
// block costs some work, and so does its share of a reduction. Otherwise a thread does one
// iteration. How many run at a time follows from the kernel's registers, and loops are divided such
// that the threads' iterations end together: a few blocks that are left wait for all others.
//
// On a CPU a block is a chunk of the iterations (compiler/lower/spread_loops.h), with the whole
// innermost loop if the others are long enough, and each core gets several, so that those with
// slower ones take fewer. How many threads a block has does not matter there.
//
// A warp reads neighbours of the innermost loop, 32 at a time, so that it uses whole lines of the
// cache. Where other arrays are used across, a warp of 8 by 4 threads touches whole sectors of 32
// bytes, or half ones, in both.
#include "core/kernel_shape.h"
#include "core/module_registry.h"
#include "cufrt/device.h"
#include "cufrt/kernel_shape.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

namespace cufrt {
namespace {

constexpr int64_t mostThreads = 256, neighbourThreads = 128, fewestThreads = 64;
constexpr int64_t mostBlocks[3] = {0x7fffffff, 65535, 65535}, mostDepth = 64;

int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

// The smallest power of two that is at least n, or `limit`.
int64_t widthFor(int64_t n, int64_t limit) {
  int64_t width = 1;
  while (width < n && width < limit)
    width *= 2;
  return width;
}

// Threads that a multiprocessor runs at a time. On the host device, where it is a core, each thread
// that reduces costs as much as many iterations, unless its block is a chunk.
int64_t residentThreads() { return api().isHost ? 2 * fewestThreads : 2048; }

int64_t multiprocessors() {
  static std::atomic<int> known[16];
  int device = 0;
  api().cudaGetDevice(&device);
  std::atomic<int> &count = known[device & 15];
  if (count == 0) {
    constexpr int multiProcessorCount = 16; // cudaDevAttrMultiProcessorCount
    int value = 0;
    if (api().cudaDeviceGetAttribute(&value, multiProcessorCount, device) != success || value < 1)
      value = 1;
    count = value;
  }
  return count;
}

// Blocks of so many threads that one multiprocessor runs at a time.
int64_t residentBlocks(const void *kernel, int64_t threads) {
  int64_t full = std::max<int64_t>(residentThreads() / threads, 1);
  if (!kernel || api().isHost)
    return full;
  static std::mutex mutex;
  static std::map<std::tuple<const void *, int, int64_t>, int64_t> known;
  int device = 0;
  api().cudaGetDevice(&device);
  std::lock_guard lock(mutex);
  auto [found, isNew] = known.try_emplace({kernel, device, threads}, full);
  int count = 0;
  if (isNew &&
      api().cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, static_cast<int>(threads),
                                                          0) == success &&
      count > 0)
    found->second = count;
  return found->second;
}

class Shape {
public:
  Shape(int32_t (&sizes)[6], const int64_t (&iterations)[3], int loops, int access, int ends,
        bool inChunks, const void *kernel)
      : blocks(sizes), threads(sizes + 3), loops(loops), access(access),
        reduces(ends & CUFRT_COMBINES), isUneven(ends & CUFRT_UNEVEN), inChunks(inChunks),
        kernel(kernel) {
    for (int d = 0; d < 3; ++d)
      trips[d] = std::max<int64_t>(iterations[d], 1);
  }

  void complete() {
    chooseThreads();
    if (inChunks)
      chooseChunks();
    else if ((reduces && !takesMany()) || (loops == 1 && !api().isHost))
      chooseFewBlocks();
    else
      chooseBlocks();
  }

private:
  static bool isOpen(int32_t size) { return size == 0; }

  // Whether threads do one iteration each though they combine values: the last block reads what all
  // others have.
  bool takesMany() const {
    constexpr double mostToCombine = 16384;
    double count = 1;
    for (int d = 0; d < 3; ++d)
      count *= static_cast<double>(ceilDivide(trips[d], threads[d]));
    return isUneven && loops > 1 && count <= mostToCombine;
  }

  // Threads of a block altogether.
  int64_t wanted() const {
    if (api().isHost && reduces)
      return fewestThreads;
    double iterations = allIterations();
    bool readsNeighbours = loops > (api().isHost ? 1 : 2) && access == CUFRT_ROWS && !reduces;
    int64_t count = readsNeighbours ? neighbourThreads : mostThreads;
    while (count > fewestThreads &&
           iterations / static_cast<double>(count) < 2.0 * static_cast<double>(multiprocessors()))
      count /= 2;
    return count;
  }

  double allIterations() const {
    double iterations = 1;
    for (int64_t count : trips)
      iterations *= static_cast<double>(count);
    return iterations;
  }

  void chooseThreads() {
    int64_t left = wanted();
    for (int d = 0; d < 3; ++d)
      left /= std::max(threads[d], 1);
    left = std::max<int64_t>(left, 1);
    int64_t ofRows = loops == 2 && !reduces && !api().isHost ? 64 : 32;
    int64_t row = access == CUFRT_ROWS ? ofRows : access == CUFRT_CROSSED ? 8 : 1;
    if (loops == 1)
      row = left;
    widen(0, row, left);
    widen(1, left, left);
    widen(2, mostDepth, left);
    for (int d = 0; d < 2; ++d) // for which there was no use in the other dimensions
      if (wasOpen[d])
        while (left > 1 && threads[d] < trips[d])
          threads[d] *= 2, left /= 2;
  }

  void widen(int d, int64_t limit, int64_t &left) {
    if (!isOpen(threads[d]))
      return;
    wasOpen[d] = true;
    threads[d] = static_cast<int32_t>(widthFor(trips[d], std::min(limit, left)));
    left /= threads[d];
  }

  void chooseBlocks() {
    for (int d = 0; d < 3; ++d)
      if (isOpen(blocks[d]))
        blocks[d] = static_cast<int32_t>(std::min(ceilDivide(trips[d], threads[d]), mostBlocks[d]));
  }

  // Several blocks for each core as soon as they have some work, many if they have enough and leave
  // no results to be combined.
  void chooseChunks() {
    constexpr double little = 4, enough = 1024;
    const int64_t several = 4, many = reduces ? several : 32;
    int64_t cores = multiprocessors();
    double iterations = allIterations();
    auto left = static_cast<int64_t>(
        std::max({std::min(iterations / little, static_cast<double>(cores * several)),
                  std::min(iterations / enough, static_cast<double>(cores * many)), 1.0}));
    if (access == CUFRT_CROSSED)
      chooseTiles();
    for (int d = 0; d < 3; ++d)
      if (!isOpen(blocks[d]))
        left = std::max<int64_t>(left / blocks[d], 1);
    bool columns = access == CUFRT_COLUMNS; // the loop over y is the innermost one
    for (int d : {2, columns ? 0 : 1, columns ? 1 : 0}) {
      if (!isOpen(blocks[d]))
        continue;
      blocks[d] = static_cast<int32_t>(std::min({trips[d], left, mostBlocks[d]}));
      left = std::max<int64_t>(left / blocks[d], 1);
    }
  }

  // As large as the arrays that are used across stay in the first cache.
  void chooseTiles() {
    constexpr int64_t side = 32;
    for (int d = 0; d < 2; ++d)
      if (isOpen(blocks[d]))
        blocks[d] = static_cast<int32_t>(std::min(ceilDivide(trips[d], side), mostBlocks[d]));
  }

  // As many blocks as the GPU holds at a time, or the number of them whose last threads end first:
  // a few more would be a second wave. Of two that are equal, that with fewer blocks along x, in
  // which a thread does more iterations of the innermost loop.
  void chooseFewBlocks() {
    int64_t size = int64_t{1} * threads[0] * threads[1] * threads[2];
    int64_t resident = multiprocessors() * residentBlocks(kernel, size);
    int64_t tiles[3], best[3] = {1, 1, 1};
    double least = std::numeric_limits<double>::infinity();
    for (int d = 0; d < 3; ++d)
      tiles[d] = ceilDivide(trips[d], threads[d]);
    constexpr int64_t mostRepetitions = 24;
    const int64_t mostAlongZ = std::min(tiles[2], mostRepetitions);
    const int64_t mostAlongY = isOpen(blocks[1]) ? std::min(tiles[1], mostRepetitions) : 1;
    for (int64_t z = 1; z <= mostAlongZ; ++z)
      for (int64_t y = 1; y <= mostAlongY; ++y) {
        int64_t count[3] = {0, blocksFor(1, tiles[1], y), blocksFor(2, tiles[2], z)};
        int64_t left = std::max<int64_t>(resident / (count[1] * count[2]), 1);
        count[0] = blocksFor(0, tiles[0], ceilDivide(tiles[0], left));
        double work = 1, all = 1;
        for (int d = 0; d < 3; ++d) {
          work *= static_cast<double>(ceilDivide(tiles[d], count[d]));
          all *= static_cast<double>(count[d]);
        }
        constexpr double start = 1; // of a block, in iterations
        double time = std::ceil(all / static_cast<double>(resident)) * (work + start);
        if (time < least) {
          least = time;
          std::copy(std::begin(count), std::end(count), std::begin(best));
        }
      }
    for (int d = 0; d < 3; ++d)
      blocks[d] = static_cast<int32_t>(best[d]);
  }

  // Blocks along d whose threads do `repetitions` iterations; what is given if it is.
  int64_t blocksFor(int d, int64_t tiles, int64_t repetitions) const {
    return isOpen(blocks[d]) ? std::clamp<int64_t>(ceilDivide(tiles, repetitions), 1, mostBlocks[d])
                             : blocks[d];
  }

  int32_t *blocks, *threads;
  int64_t trips[3];
  bool wasOpen[3] = {};
  int loops, access;
  bool reduces, isUneven, inChunks;
  const void *kernel;
};

// Kernels with checks have the form for GPUs there, too (compiler/codegen/cpu/host_kernels.cpp).
bool runsChunks() {
  static const bool checked = hasCheckedKernels();
  return api().isHost && !checked;
}

// What a launch asks, apart from what is the same for all launches of a kernel.
struct ShapeQuestion {
  int32_t given[6];
  int64_t trips[3];
  const void *kernel;
  int device;

  bool operator==(const ShapeQuestion &) const = default;
};

struct KnownShape {
  ShapeQuestion question{{}, {}, nullptr, -1};
  int32_t chosen[6];
};

// A thread's last launch of a kernel, or of another one in its place: to look for the best shape
// takes microseconds, and most launches are like the one before.
KnownShape &lastShapeOf(const void *kernel) {
  thread_local KnownShape known[64];
  auto number = reinterpret_cast<uintptr_t>(kernel) * 0x9e3779b97f4a7c15;
  return known[number >> 58];
}

} // namespace

void completeKernelShape(int32_t (&shape)[6], const int64_t (&trips)[3], int loops, int access,
                         int ends, bool inChunks, const void *kernel) {
  Shape(shape, trips, loops, access, ends, inChunks, kernel).complete();
}

} // namespace cufrt

extern "C" void cufrt_kernel_shape(int32_t shape[6], int64_t tripsX, int64_t tripsY, int64_t tripsZ,
                                   int32_t loops, int32_t access, int32_t ends,
                                   const void *kernel) {
  int device = 0;
  cufrt::api().cudaGetDevice(&device);
  cufrt::ShapeQuestion question{{}, {tripsX, tripsY, tripsZ}, kernel, device};
  std::copy_n(shape, 6, question.given);
  cufrt::KnownShape &known = cufrt::lastShapeOf(kernel);
  if (!(known.question == question)) {
    known.question = question;
    std::copy_n(shape, 6, known.chosen);
    cufrt::completeKernelShape(known.chosen, question.trips, loops, access, ends,
                               cufrt::runsChunks(), kernel);
  }
  std::copy_n(known.chosen, 6, shape);
}
