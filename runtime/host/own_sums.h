// Sums in device memory to which several threads of the pool add, each in copies of its own
// (compiler/codegen/cpu/gathered_updates.h).
//
// An array is divided into parts. A thread that adds to a part first makes a copy of it, which
// starts with zeros and is added to the array when all blocks have run. That is worth while as long
// as the copies have few elements beside the updates; what has no copy is updated atomically. In
// which order atomic updates are made is open (CUDA C++ programming guide, "Atomic Functions");
// where one thread runs the whole grid, it adds to the array itself, in the order of the program.
#ifndef CUFRT_HOST_OWN_SUMS_H
#define CUFRT_HOST_OWN_SUMS_H

#include "host/fault.h"
#include "host/grid.h"
#include "host/thread_pool.h"

#include <deque>
#include <vector>

namespace cufrt::host {

class OwnSums;

// The copies of one array's parts, of one thread.
class OwnCopies : public cufrt_own_sums {
public:
  explicit OwnCopies(OwnSums &sums) : sums(sums) {}

  void start(char *array, cufrt_number number, bool isAlone);

  cufrt_number number() const { return kind; }
  size_t parts() const { return table.size(); }
  bool hasCopy(size_t part) const { return (table[part] & 1) == 0 && table[part] != 0; }
  void addToArray(size_t part) const;

  int64_t copy(uint64_t behind);

private:
  OwnSums &sums;
  cufrt_number kind{};
  std::vector<int64_t> table;
};

// Those of one thread of the pool.
class OwnSums {
public:
  // For `workers` threads of the pool.
  void start(const Grid &grid, int workers);

  // What generated code calls cufrt_sums.
  cufrt_sums *forBlocks() { return reinterpret_cast<cufrt_sums *>(this); }
  OwnCopies &of(char *array, cufrt_number number);

  // Arrays that the last grid has asked for.
  size_t size() const { return used; }
  const OwnCopies &operator[](size_t i) const { return copies[i]; }

  // Memory for another copy, or null: until the next start.
  char *memory(size_t bytes, size_t element);

private:
  std::deque<OwnCopies> copies; // which stay where they are
  size_t used = 0;
  std::deque<AlignedMemory> blocks; // for the next grid, too
  size_t usedBlocks = 0;
  int64_t elementsLeft = 0, bytesLeft = 0; // that copies may have
  int workers = 1;
};

// Adds the copies of all threads to their arrays. A fault is that of an array which has been freed.
Fault addUp(const std::vector<OwnSums> &threads, ThreadPool &pool);

} // namespace cufrt::host
#endif // CUFRT_HOST_OWN_SUMS_H
