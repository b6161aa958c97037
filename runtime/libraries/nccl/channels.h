// Messages between processes of one machine, in shared memory: a box of some kilobytes for each
// pair of ranks, which the sender fills and the receiver empties. Transfers of a pair go in order;
// those of different pairs go on side by side, so that no order of calls blocks.
#ifndef CUFRT_LIBRARIES_NCCL_CHANNELS_H
#define CUFRT_LIBRARIES_NCCL_CHANNELS_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cufrt::libraries::nccl {

// Shared memory that all ranks of a communicator have mapped. Zero when it is new.
struct Segment;

class Channels {
public:
  ~Channels();

  // Returns when all `ranks` have called it with the same name; null if the system refuses.
  static std::unique_ptr<Channels> open(const char *name, int ranks, int rank);

  int size() const { return ranks; }
  int rank() const { return own; }

  struct Transfer {
    bool isSend;
    int peer;
    char *data;
    size_t bytes;
    size_t done = 0;
    bool isFinished = false;
  };

  // Moves all of them; false if a process that takes part has ended.
  bool run(std::vector<Transfer> &transfers);

private:
  bool advance(Transfer &transfer);
  bool isAlive(int rank) const;
  bool areAlive() const;

  Segment *segment = nullptr;
  size_t bytes = 0;
  int ranks = 0, own = 0;
};

// Of a communicator of the program; null if there is none.
Channels *channelsOf(const void *communicator);

} // namespace cufrt::libraries::nccl
#endif // CUFRT_LIBRARIES_NCCL_CHANNELS_H
