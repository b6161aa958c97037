// See own_sums.h.
#include "host/own_sums.h"

#include "host/memory_table.h"

#include <algorithm>
#include <mutex>

namespace cufrt::host {
namespace {

constexpr int64_t elementsForThread = 4; // of the grid at most, in all copies of all threads
constexpr int64_t mostBytes = int64_t{256} << 20;    // likewise
constexpr int smallestShift = 12, largestShift = 16; // bytes of a part as a power of two
constexpr size_t mostParts = 4096;
constexpr uint64_t all = UINT64_MAX;
constexpr int shiftOfAll = 63;

size_t bytesOf(cufrt_number number) {
  return number == CUFRT_INTEGER_4 || number == CUFRT_REAL_4 ? 4 : 8;
}

// What leaves every number as it is: -0.0 for reals.
void clear(char *memory, size_t bytes, cufrt_number number) {
  if (number == CUFRT_REAL_4)
    std::fill_n(reinterpret_cast<float *>(memory), bytes / sizeof(float), -0.0F);
  else if (number == CUFRT_REAL_8)
    std::fill_n(reinterpret_cast<double *>(memory), bytes / sizeof(double), -0.0);
  else
    std::fill_n(memory, bytes, 0);
}

template <typename Number>
void add(char *array, const char *copy, size_t bytes) {
  auto *sums = reinterpret_cast<Number *>(array);
  const auto *more = reinterpret_cast<const Number *>(copy);
  for (size_t i = 0; i < bytes / sizeof(Number); ++i)
    sums[i] += more[i];
}

// Parts of one array, from the copies of all threads in their order.
class Parts : public ThreadPool::Body {
public:
  explicit Parts(const std::vector<const OwnCopies *> &threads) : threads(threads) {}

  void run(int, int64_t first, int64_t last) override {
    auto addParts = [&] {
      for (auto part = static_cast<size_t>(first); part < static_cast<size_t>(last); ++part)
        for (const OwnCopies *copies : threads)
          if (copies->hasCopy(part))
            copies->addToArray(part);
    };
    Fault fault = runGuarded(addParts);
    std::lock_guard lock(mutex);
    if (fault.signal)
      found = fault;
  }

  const Fault &fault() const { return found; }

private:
  const std::vector<const OwnCopies *> &threads;
  std::mutex mutex;
  Fault found{};
};

} // namespace

void OwnCopies::start(char *start, cufrt_number number, bool isAlone) {
  kind = number;
  array = start;
  bytes = all;
  shift = shiftOfAll;
  table.assign(1, 0);
  if (!isAlone) {
    const size_t element = bytesOf(number);
    bytes = rangeAt(start).bytes / element * element;
    for (shift = smallestShift; shift < largestShift && bytes >> shift >= mostParts;)
      ++shift;
    if (bytes >> shift >= mostParts)
      bytes = 0;
    table.assign((bytes >> shift) + 1, CUFRT_NO_COPY_YET);
  }
  distances = table.data();
}

int64_t OwnCopies::copy(uint64_t behind) {
  if (behind >= bytes)
    return CUFRT_NO_COPY;
  const uint64_t part = behind >> shift, size = uint64_t{1} << shift;
  if (table[part] != CUFRT_NO_COPY_YET)
    return table[part];
  char *memory = sums.memory(size, bytesOf(kind));
  if (!memory) {
    std::replace(table.begin(), table.end(), int64_t{CUFRT_NO_COPY_YET}, int64_t{CUFRT_NO_COPY});
    return CUFRT_NO_COPY;
  }
  clear(memory, size, kind);
  table[part] = memory - (array + part * size);
  return table[part];
}

void OwnCopies::addToArray(size_t part) const {
  char *start = array + (part << shift);
  const size_t size = std::min<size_t>(size_t{1} << shift, bytes - (part << shift));
  const char *copy = start + table[part];
  switch (kind) {
  case CUFRT_INTEGER_4:
    return add<uint32_t>(start, copy, size);
  case CUFRT_INTEGER_8:
    return add<uint64_t>(start, copy, size);
  case CUFRT_REAL_4:
    return add<float>(start, copy, size);
  case CUFRT_REAL_8:
    return add<double>(start, copy, size);
  }
}

void OwnSums::start(const Grid &grid, int threadsOfPool) {
  used = 0;
  usedBlocks = 0;
  workers = threadsOfPool;
  elementsLeft = elementsForThread * grid.blocks * grid.threads / workers;
  bytesLeft = mostBytes / workers;
}

OwnCopies &OwnSums::of(char *array, cufrt_number number) {
  for (size_t i = 0; i < used; ++i)
    if (copies[i].array == array && copies[i].number() == number)
      return copies[i];
  if (used == copies.size())
    copies.emplace_back(*this);
  copies[used].start(array, number, workers == 1);
  return copies[used++];
}

char *OwnSums::memory(size_t bytes, size_t element) {
  const auto elements = static_cast<int64_t>(bytes / element);
  const auto size = static_cast<int64_t>(bytes);
  if (elements > elementsLeft || size > bytesLeft)
    return nullptr;
  elementsLeft -= elements;
  bytesLeft -= size;
  if (usedBlocks == blocks.size())
    blocks.emplace_back();
  AlignedMemory &block = blocks[usedBlocks++];
  block.reserve(bytes);
  return block.get();
}

Fault addUp(const std::vector<OwnSums> &threads, ThreadPool &pool) {
  std::vector<const OwnCopies *> waiting;
  for (const OwnSums &sums : threads)
    for (size_t i = 0; i < sums.size(); ++i)
      waiting.push_back(&sums[i]);
  while (!waiting.empty()) { // one array after the other: they may be parts of one allocation
    std::vector<const OwnCopies *> ofOne;
    const OwnCopies &first = *waiting.front();
    std::erase_if(waiting, [&](const OwnCopies *copies) {
      const bool isSame = copies->array == first.array && copies->number() == first.number();
      if (isSame)
        ofOne.push_back(copies);
      return isSame;
    });
    Parts body(ofOne);
    const auto parts = static_cast<int64_t>(first.parts());
    if (parts > 1)
      pool.forEach(parts, body);
    else
      ThreadPool::forEachAlone(parts, body);
    if (body.fault().signal)
      return body.fault();
  }
  return {};
}

} // namespace cufrt::host

extern "C" cufrt_own_sums *cufrt_sums_of(cufrt_sums *sums, void *array, uint32_t number) {
  return &reinterpret_cast<cufrt::host::OwnSums *>(sums)->of(static_cast<char *>(array),
                                                             static_cast<cufrt_number>(number));
}

extern "C" int64_t cufrt_own_copy(cufrt_own_sums *own, uint64_t behind) {
  return static_cast<cufrt::host::OwnCopies *>(own)->copy(behind);
}
