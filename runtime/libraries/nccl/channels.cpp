// See channels.h. Who waits looks again and again, gives its core away meanwhile, and now and then
// asks whether the other processes still live.
#include "libraries/nccl/channels.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cufrt::libraries::nccl {
namespace {

constexpr int mostRanks = 256;
constexpr size_t boxBytes = size_t{64} << 10;
constexpr int looksBetweenQuestions = 4096;

struct Box {
  std::atomic<size_t> bytes; // that wait for the receiver; 0 for none
  char data[boxBytes];
};

} // namespace

struct Segment {
  std::atomic<int> arrived;
  std::atomic<int> processes[mostRanks];
  Box boxes[1]; // ranks squared: from a rank to a rank
};

Channels::~Channels() {
  if (segment)
    munmap(segment, bytes);
}

std::unique_ptr<Channels> Channels::open(const char *name, int ranks, int rank) {
  if (ranks > mostRanks)
    return nullptr;
  std::unique_ptr<Channels> channels(new Channels);
  channels->ranks = ranks;
  channels->own = rank;
  channels->bytes =
      sizeof(Segment) + sizeof(Box) * (static_cast<size_t>(ranks) * static_cast<size_t>(ranks) - 1);
  int file = shm_open(name, O_CREAT | O_RDWR, 0600);
  if (file < 0)
    return nullptr;
  void *mapped = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(channels->bytes)) == 0)
    mapped = mmap(nullptr, channels->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED)
    return nullptr;
  channels->segment = static_cast<Segment *>(mapped);
  channels->segment->processes[rank].store(getpid());
  channels->segment->arrived.fetch_add(1);
  for (int looks = 0; channels->segment->arrived.load() < ranks; ++looks) {
    sched_yield();
    if (looks % looksBetweenQuestions == 0 && !channels->areAlive())
      return nullptr;
  }
  // All have mapped it, so its name can go; the memory goes with the last of them.
  if (rank == 0)
    shm_unlink(name);
  return channels;
}

// A rank that has not come yet has no number.
bool Channels::isAlive(int rank) const {
  int process = segment->processes[rank].load();
  return !process || kill(process, 0) == 0 || errno != ESRCH;
}

bool Channels::areAlive() const {
  for (int rank = 0; rank < ranks; ++rank)
    if (!isAlive(rank))
      return false;
  return true;
}

// True if something moved.
bool Channels::advance(Transfer &transfer) {
  int from = transfer.isSend ? own : transfer.peer, to = transfer.isSend ? transfer.peer : own;
  Box &box = segment->boxes[from * ranks + to];
  size_t waiting = box.bytes.load(std::memory_order_acquire);
  if (transfer.isSend ? waiting != 0 : waiting == 0)
    return false;
  size_t now = transfer.isSend ? std::min(boxBytes, transfer.bytes - transfer.done) : waiting;
  now = std::min(now, transfer.bytes - transfer.done);
  if (transfer.isSend)
    std::memcpy(box.data, transfer.data + transfer.done, now);
  else
    std::memcpy(transfer.data + transfer.done, box.data, now);
  box.bytes.store(transfer.isSend ? now : 0, std::memory_order_release);
  transfer.done += now;
  transfer.isFinished = transfer.done == transfer.bytes;
  return true;
}

bool Channels::run(std::vector<Transfer> &transfers) {
  for (Transfer &transfer : transfers)
    transfer.isFinished = transfer.bytes == 0;
  bool isAbandoned = false;
  for (int looks = 1;; ++looks) {
    bool isDone = true, moved = false;
    std::vector<char> busy(static_cast<size_t>(ranks) * 2,
                           0); // an earlier transfer of this pair waits
    for (Transfer &transfer : transfers) {
      char &isBusy = busy[static_cast<size_t>(transfer.peer) * 2 + transfer.isSend];
      if (!transfer.isFinished && !isBusy)
        moved |= advance(transfer);
      isBusy |= !transfer.isFinished;
      isDone &= transfer.isFinished;
    }
    if (isDone)
      return true;
    if (moved)
      continue;
    if (isAbandoned) // and left nothing behind
      return false;
    sched_yield();
    // Those who have done their part may have ended.
    for (const Transfer &transfer : transfers)
      if (looks % looksBetweenQuestions == 0 && !transfer.isFinished && !isAlive(transfer.peer))
        isAbandoned = true;
  }
}

} // namespace cufrt::libraries::nccl
