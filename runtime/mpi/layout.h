// Which bytes of memory a datatype stands for, in the order in which a message holds them. Staging
// copies those alone: what lies between them may be used by kernels meanwhile.
#ifndef CUFRT_MPI_LAYOUT_H
#define CUFRT_MPI_LAYOUT_H

#include "mpi/known_library.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cufrt::mpi {

// `count` blocks of `bytes` bytes that start `stride` bytes apart, the first at `offset`.
struct Run {
  ptrdiff_t offset;
  size_t bytes;
  ptrdiff_t stride;
  size_t count;
};

struct Layout {
  size_t size = 0;      // bytes of data
  ptrdiff_t extent = 0; // from one element to the next
  std::vector<Run> runs;
  ptrdiff_t begin = 0, end = 0; // of the bytes that belong to it
  Handle basic = 0;             // the basic datatype that all its data are of, if basicBytes > 0
  size_t basicBytes = 0;

  // Elements follow each other without gaps.
  bool isDense() const {
    return runs.size() == 1 && runs[0].count == 1 && runs[0].bytes == size &&
           extent == static_cast<ptrdiff_t>(size);
  }
  bool hasGaps() const { return !isDense(); }
  bool isOfOneKind() const { return basicBytes > 0; }
};

using LayoutPointer = std::shared_ptr<const Layout>;

// Kept with the datatype until that is freed. `call` is the name of the procedure, for messages.
LayoutPointer layoutOf(Handle datatype, const char *call);

// That of MPI_BYTE.
LayoutPointer layoutOfBytes();

// `count` elements that start `offset` bytes behind a buffer's address.
struct Part {
  ptrdiff_t offset;
  size_t count;
  LayoutPointer layout;
};

using Parts = std::vector<Part>;

size_t bytesIn(const Parts &parts);

// The runs that hold the first `bytes` bytes of the part's data. With all of them wanted, the order
// is free.
std::vector<Run> runsOf(const Part &part, size_t bytes);

// Where the data of the parts lie, from the lowest to behind the highest byte; both 0 if there are
// none.
struct Range {
  ptrdiff_t begin, end;
};
Range rangeOf(const Parts &parts);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_LAYOUT_H
