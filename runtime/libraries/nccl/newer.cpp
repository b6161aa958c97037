// What NCCL 2.27 and 2.28 added, on the host device: exchanges of parts, which are messages of a
// group, communicators without some ranks; and memory that is made known, for which nothing is done
// here.
#include "libraries/nccl.h"
#include "libraries/nccl/channels.h"
#include "libraries/nccl/reductions.h"

#include <algorithm>

namespace cufrt::nccl {

using namespace cufrt::libraries::nccl;

namespace {

constexpr int ok = 0, invalidArgument = 4, remoteError = 6;

const char *partOf(const void *buffer, int number, size_t bytes) {
  return static_cast<const char *>(buffer) + static_cast<size_t>(number) * bytes;
}
char *partOf(void *buffer, int number, size_t bytes) {
  return static_cast<char *>(buffer) + static_cast<size_t>(number) * bytes;
}

// The messages of `body` as one group.
template <typename Body>
int inGroup(const Body &body) {
  int status = ncclGroupStart();
  status = status ? status : body();
  int end = ncclGroupEnd();
  return status ? status : end;
}

bool isRankOf(const Channels *channels, int rank) {
  return channels && rank >= 0 && rank < channels->size();
}

} // namespace

int ncclAlltoAll(const void *sendbuff, void *recvbuff, size_t count, int datatype, void *comm,
                 void *stream) {
  Channels *channels = channelsOf(comm);
  size_t bytes = count * bytesOf(datatype);
  if (!channels || !bytesOf(datatype))
    return invalidArgument;
  return inGroup([=] {
    int status = ok;
    for (int peer = 0; peer < channels->size() && status == ok; ++peer) {
      status = ncclSend(partOf(sendbuff, peer, bytes), count, datatype, peer, comm, stream);
      if (status == ok)
        status = ncclRecv(partOf(recvbuff, peer, bytes), count, datatype, peer, comm, stream);
    }
    return status;
  });
}

int ncclGather(const void *sendbuff, void *recvbuff, size_t count, int datatype, int root,
               void *comm, void *stream) {
  Channels *channels = channelsOf(comm);
  size_t bytes = count * bytesOf(datatype);
  if (!isRankOf(channels, root) || !bytesOf(datatype))
    return invalidArgument;
  return inGroup([=] {
    int status = ncclSend(sendbuff, count, datatype, root, comm, stream);
    for (int peer = 0; channels->rank() == root && peer < channels->size() && status == ok; ++peer)
      status = ncclRecv(partOf(recvbuff, peer, bytes), count, datatype, peer, comm, stream);
    return status;
  });
}

int ncclScatter(const void *sendbuff, void *recvbuff, size_t count, int datatype, int root,
                void *comm, void *stream) {
  Channels *channels = channelsOf(comm);
  size_t bytes = count * bytesOf(datatype);
  if (!isRankOf(channels, root) || !bytesOf(datatype))
    return invalidArgument;
  return inGroup([=] {
    int status = ok;
    for (int peer = 0; channels->rank() == root && peer < channels->size() && status == ok; ++peer)
      status = ncclSend(partOf(sendbuff, peer, bytes), count, datatype, peer, comm, stream);
    return status ? status : ncclRecv(recvbuff, count, datatype, root, comm, stream);
  });
}

// The ranks that stay call it. The first of them makes the identifier and sends it to the others.
int ncclCommShrink(void *comm, const int *excluded, int count, void **newcomm, cufrt_nccl_config *,
                   int flags) {
  Channels *channels = channelsOf(comm);
  if (!channels || !newcomm || count < 1 || !excluded || flags < 0 || flags > 1)
    return invalidArgument;
  std::vector<int> staying;
  for (int rank = 0; rank < channels->size(); ++rank)
    if (std::find(excluded, excluded + count, rank) == excluded + count)
      staying.push_back(rank);
  auto place = std::find(staying.begin(), staying.end(), channels->rank());
  if (place == staying.end())
    return invalidArgument;
  cufrt_nccl_id id;
  bool isFirst = place == staying.begin();
  if (isFirst && ncclGetUniqueId(&id) != ok)
    return invalidArgument;
  std::vector<Channels::Transfer> transfers;
  for (size_t other = 1; isFirst && other < staying.size(); ++other)
    transfers.push_back({true, staying[other], reinterpret_cast<char *>(&id), sizeof id});
  if (!isFirst)
    transfers.push_back({false, staying.front(), reinterpret_cast<char *>(&id), sizeof id});
  if (!channels->run(transfers))
    return remoteError;
  return ncclCommInitRank(newcomm, static_cast<int>(staying.size()), id,
                          static_cast<int>(place - staying.begin()));
}

// One identifier suffices here; each rank has all of them.
int ncclCommInitRankScalable(void **newcomm, int nranks, int myrank, int count,
                             const cufrt_nccl_id *commids, cufrt_nccl_config *config) {
  if (count < 1 || !commids)
    return invalidArgument;
  return ncclCommInitRankConfig(newcomm, nranks, commids[0], myrank, config);
}

int ncclCommRegister(void *comm, void *buff, size_t, void **handle) {
  if (!channelsOf(comm) || !buff || !handle)
    return invalidArgument;
  *handle = buff;
  return ok;
}
int ncclCommDeregister(void *comm, void *handle) {
  return channelsOf(comm) && handle ? ok : invalidArgument;
}

int ncclCommWindowRegister(void *comm, void *buff, size_t, void **win, int) {
  if (!channelsOf(comm) || !buff || !win)
    return invalidArgument;
  *win = buff;
  return ok;
}
int ncclCommWindowDeregister(void *comm, void *win) {
  return channelsOf(comm) && win ? ok : invalidArgument;
}

void ncclResetDebugInit() {}

} // namespace cufrt::nccl
