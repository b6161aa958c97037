// Copies between device buffers and host memory that go on at the same time: begun one after the
// other, awaited once.
//
// A message with gaps is copied by as few copies of up to three dimensions as it takes, between the
// buffer and the packed message. Where the host memory has the gaps too, its pieces lie side by
// side in pinned memory on their way: a copy of two dimensions to memory with gaps would take its
// time for each piece.
#ifndef CUFRT_MPI_COPIES_H
#define CUFRT_MPI_COPIES_H

#include "cufrt/device.h"
#include "mpi/pieces.h"

#include <utility>

namespace cufrt::mpi {

class Copies {
public:
  Copies() = default;
  Copies(const Copies &) = delete;
  ~Copies();

  struct Way {
    const char *call; // for messages
    char *device;     // the buffer's address
    char *host;       // the packed message, or what stands for the buffer's address
    bool isPacked;
    bool toHost;
    int number;   // of the device
    void *stream; // of that device
  };

  // The first `bytes` bytes of the data of the parts. The memory must stay until the end.
  void begin(const Way &way, const Parts &parts, size_t bytes);

  // The copies are complete when this returns. Others may begin.
  void finish();

private:
  struct Wait {
    int number;
    void *stream;
    const char *call;
    bool toHost;
  };
  // Pieces of memory with gaps, side by side.
  struct Between {
    Run run;
    char *memory;
    char *host; // where they go in the end, or null
  };

  Error beginWithGaps(const Way &way, const Part &part, size_t bytes);
  void release();

  std::vector<Wait> waits;
  std::vector<Between> between;
};

} // namespace cufrt::mpi
#endif // CUFRT_MPI_COPIES_H
