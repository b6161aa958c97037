// NCCL on the host device. An operation becomes transfers between pairs of ranks and what is done
// when they are complete; a group is the transfers of all its operations. Each rank gets the parts
// of all others and combines them in the order of the ranks.
#include "libraries/nccl.h"
#include "libraries/nccl/channels.h"
#include "libraries/nccl/reductions.h"
#include "libraries/stream_work.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <iterator>
#include <unistd.h>

namespace cufrt::libraries::nccl {
namespace {

// ncclResult_t.
enum Result : int {
  ok = 0,
  unhandledCudaError = 1,
  systemError = 2,
  invalidArgument = 4,
  invalidUsage = 5,
  remoteError = 6
};

// What ncclRedOpCreatePreMulSum makes: a sum of elements times a factor, which is a value of the
// host or lies on the device, where it is read with each operation.
struct OwnOperation {
  int type = -1; // none any more
  const void *onDevice = nullptr;
  char value[8] = {};

  const void *factor() const { return onDevice ? opened(onDevice) : value; }
};

struct Communicator {
  std::unique_ptr<Channels> channels;
  int device = 0;
  std::vector<OwnOperation> own;

  OwnOperation *find(int op) {
    auto number = static_cast<size_t>(op) - firstOwnOperation;
    bool isKnown = op >= firstOwnOperation && number < own.size() && own[number].type >= 0;
    return isKnown ? &own[number] : nullptr;
  }
  bool knows(int op, int type) {
    OwnOperation *found = find(op);
    return found ? found->type == type : isOperation(op);
  }
};
LiveObjects<Communicator> &communicators() {
  static auto *instance = new LiveObjects<Communicator>;
  return *instance;
}

struct Operation {
  Communicator *communicator;
  std::vector<Channels::Transfer> transfers;
  std::function<void()> prepare, finish; // may be empty
  std::shared_ptr<std::vector<char>> parts;
};

// What a rank sends for a reduction: its elements, or their products with a factor, which are made
// when the operation begins.
struct Contribution {
  const char *elements;
  std::shared_ptr<std::vector<char>> products;
  std::function<void()> make; // may be empty
  int op;

  Contribution(Communicator *communicator, const void *send, size_t count, int type, int op)
      : elements(static_cast<const char *>(send)), op(op) {
    const OwnOperation *own = communicator->find(op);
    if (!own)
      return;
    this->op = 0; // ncclSum
    products = std::make_shared<std::vector<char>>(count * bytesOf(type));
    make = [from = elements, into = products, own = *own, count, type] {
      scale(type, own.factor(), from, count, into->data());
    };
    elements = products->data();
  }

  // The products live as long as the operation does.
  void joinTo(Operation &operation) const {
    if (make)
      operation.prepare = [first = make, then = operation.prepare, kept = products] {
        first();
        if (then)
          then();
      };
  }
};

// Of this host thread.
thread_local int depth = 0;
thread_local std::vector<Operation> gathered;

Result runAll(std::vector<Operation> &operations) {
  host::DeviceWork work;
  Result result = ok;
  std::vector<Communicator *> seen;
  for (Operation &operation : operations)
    if (operation.prepare)
      operation.prepare();
  for (Operation &first : operations) {
    if (std::find(seen.begin(), seen.end(), first.communicator) != seen.end())
      continue;
    seen.push_back(first.communicator);
    std::vector<Channels::Transfer> all;
    for (Operation &operation : operations)
      if (operation.communicator == first.communicator)
        all.insert(all.end(), operation.transfers.begin(), operation.transfers.end());
    if (!first.communicator->channels->run(all))
      result = remoteError;
  }
  for (Operation &operation : operations)
    if (operation.finish && result == ok)
      operation.finish();
  return result;
}

// Runs it, or keeps it for the end of the group.
Result submit(void *stream, Operation operation) {
  host::Route route;
  if (host::routeOf(stream, route) != success)
    return invalidArgument;
  if (route == host::Route::record)
    return invalidUsage; // graphs of the host device hold no messages
  gathered.push_back(std::move(operation));
  if (depth)
    return ok;
  std::vector<Operation> operations = std::move(gathered);
  gathered.clear();
  return runAll(operations);
}

// Sends a part to each of the others and gets one of each: `sendStride` is the distance of what
// goes to one rank and to the next. The parts lie in `operation.parts` by ranks.
Operation exchange(Communicator *communicator, const char *send, size_t bytes, size_t sendStride) {
  Channels &channels = *communicator->channels;
  auto ranks = static_cast<size_t>(channels.size());
  Operation operation{communicator, {}, {}, {}, std::make_shared<std::vector<char>>(ranks * bytes)};
  for (int peer = 0; peer < channels.size(); ++peer) {
    char *part = operation.parts->data() + static_cast<size_t>(peer) * bytes;
    char *from = const_cast<char *>(send) + static_cast<size_t>(peer) * sendStride;
    if (peer == channels.rank()) {
      operation.prepare = [=] { std::memcpy(part, from, bytes); };
      continue;
    }
    operation.transfers.push_back({true, peer, from, bytes});
    operation.transfers.push_back({false, peer, part, bytes});
  }
  return operation;
}

Result allReduce(Communicator *communicator, const void *send, void *receive, size_t count,
                 int type, int op, size_t stride, void *stream) {
  size_t bytes = count * bytesOf(type);
  int ranks = communicator->channels->size();
  size_t sent = stride ? count * static_cast<size_t>(ranks) : count;
  Contribution contribution(communicator, send, sent, type, op);
  Operation operation = exchange(communicator, contribution.elements, bytes, stride);
  contribution.joinTo(operation);
  operation.finish = [=, op = contribution.op, parts = operation.parts] {
    reduce(type, op, parts->data(), ranks, count, static_cast<char *>(receive));
  };
  return submit(stream, std::move(operation));
}

Result toRoot(Communicator *communicator, const void *send, void *receive, size_t count, int type,
              int op, int root, void *stream) {
  Channels &channels = *communicator->channels;
  size_t bytes = count * bytesOf(type);
  Contribution contribution(communicator, send, count, type, op);
  auto *data = const_cast<char *>(contribution.elements);
  Operation operation{communicator, {}, {}, {}, nullptr};
  if (channels.rank() != root) {
    operation.transfers.push_back({true, root, data, bytes});
    contribution.joinTo(operation);
    return submit(stream, std::move(operation));
  }
  auto parts = std::make_shared<std::vector<char>>(static_cast<size_t>(channels.size()) * bytes);
  for (int peer = 0; peer < channels.size(); ++peer)
    if (peer != root)
      operation.transfers.push_back(
          {false, peer, parts->data() + static_cast<size_t>(peer) * bytes, bytes});
  operation.prepare = [=] {
    std::memcpy(parts->data() + static_cast<size_t>(root) * bytes, data, bytes);
  };
  contribution.joinTo(operation);
  operation.finish = [=, op = contribution.op, ranks = channels.size()] {
    reduce(type, op, parts->data(), ranks, count, static_cast<char *>(receive));
  };
  return submit(stream, std::move(operation));
}

Result fromRoot(Communicator *communicator, const void *send, void *receive, size_t count, int type,
                int root, void *stream) {
  Channels &channels = *communicator->channels;
  size_t bytes = count * bytesOf(type);
  Operation operation{communicator, {}, {}, {}, nullptr};
  if (channels.rank() != root) {
    operation.transfers.push_back({false, root, static_cast<char *>(receive), bytes});
    return submit(stream, std::move(operation));
  }
  for (int peer = 0; peer < channels.size(); ++peer)
    if (peer != root)
      operation.transfers.push_back(
          {true, peer, const_cast<char *>(static_cast<const char *>(send)), bytes});
  operation.finish = [=] { std::memmove(receive, send, bytes); };
  return submit(stream, std::move(operation));
}

// A message to oneself meets its other half at the end of the group.
Result message(Communicator *communicator, bool isSend, void *data, size_t count, int type,
               int peer, void *stream) {
  Operation operation{communicator,
                      {{isSend, peer, static_cast<char *>(data), count * bytesOf(type)}},
                      {},
                      {},
                      nullptr};
  return submit(stream, std::move(operation));
}

} // namespace

Channels *channelsOf(const void *handle) {
  Communicator *found = communicators().find(handle);
  return found ? found->channels.get() : nullptr;
}

namespace {

Communicator *known(const void *handle) { return communicators().find(handle); }

bool isRank(Communicator *communicator, int rank) {
  return communicator && rank >= 0 && rank < communicator->channels->size();
}

// What the ranks of a communicator tell each other when it is split.
struct Part {
  int color, key;
  cufrt_nccl_id id; // for the communicator that the first rank of this color begins
};

// By ranks; empty if a process that takes part has ended.
std::vector<Part> partsOfAll(Channels &channels, const Part &own) {
  std::vector<Part> parts(static_cast<size_t>(channels.size()), own);
  std::vector<Channels::Transfer> transfers;
  for (int peer = 0; peer < channels.size(); ++peer) {
    if (peer == channels.rank())
      continue;
    auto *mine = reinterpret_cast<char *>(&parts[static_cast<size_t>(channels.rank())]);
    auto *other = reinterpret_cast<char *>(&parts[static_cast<size_t>(peer)]);
    transfers.push_back({true, peer, mine, sizeof(Part)});
    transfers.push_back({false, peer, other, sizeof(Part)});
  }
  return channels.run(transfers) ? parts : std::vector<Part>();
}

// The ranks of a color, in the order of their keys, then of their numbers.
std::vector<int> ranksOf(const std::vector<Part> &parts, int color) {
  std::vector<int> ranks;
  for (size_t rank = 0; rank < parts.size(); ++rank)
    if (parts[rank].color == color)
      ranks.push_back(static_cast<int>(rank));
  auto order = [&](int rank) { return std::pair(parts[static_cast<size_t>(rank)].key, rank); };
  std::sort(ranks.begin(), ranks.end(),
            [&](int left, int right) { return order(left) < order(right); });
  return ranks;
}

} // namespace
} // namespace cufrt::libraries::nccl

namespace cufrt::nccl {

using namespace cufrt::libraries::nccl;
using cufrt::libraries::nccl::communicators;

int ncclGetVersion(int *version) {
  *version = 22809; // of the library that the interfaces describe
  return version ? ok : invalidArgument;
}

int ncclGetUniqueId(cufrt_nccl_id *uniqueid) {
  static std::atomic<int> count{0};
  if (!uniqueid)
    return invalidArgument;
  std::memset(uniqueid, 0, sizeof *uniqueid);
  std::snprintf(uniqueid->internal, sizeof uniqueid->internal, "/cufrt-%d-%d-%lld", getpid(),
                count++, static_cast<long long>(time(nullptr)));
  return ok;
}

int ncclCommInitRank(void **comm, int nranks, cufrt_nccl_id commid, int rank) {
  if (!comm || nranks < 1 || rank < 0 || rank >= nranks || commid.internal[0] != '/')
    return invalidArgument;
  commid.internal[sizeof commid.internal - 1] = 0;
  std::unique_ptr<Channels> channels = Channels::open(commid.internal, nranks, rank);
  if (!channels)
    return systemError;
  *comm = communicators().create();
  known(*comm)->channels = std::move(channels);
  api().cudaGetDevice(&known(*comm)->device);
  return ok;
}

int ncclCommInitRankConfig(void **comm, int nranks, cufrt_nccl_id commid, int rank,
                           cufrt_nccl_config *) {
  return ncclCommInitRank(comm, nranks, commid, rank);
}

int ncclCommInitAll(void **comm, int ndev, const int *devlist) {
  cufrt_nccl_id id;
  if (!comm || ndev != 1 || (devlist && *devlist != 0) || ncclGetUniqueId(&id) != ok)
    return invalidArgument;
  return ncclCommInitRank(comm, 1, id, 0);
}

int ncclCommSplit(void *comm, int color, int key, void **newcomm, cufrt_nccl_config *) {
  Communicator *parent = known(comm);
  Part own{color, key, {}};
  if (!parent || !newcomm || color < -1 || ncclGetUniqueId(&own.id) != ok)
    return invalidArgument;
  *newcomm = nullptr;
  std::vector<Part> parts = partsOfAll(*parent->channels, own);
  if (parts.empty())
    return remoteError;
  if (color < 0) // NCCL_SPLIT_NOCOLOR
    return ok;
  std::vector<int> ranks = ranksOf(parts, color);
  auto place = std::find(ranks.begin(), ranks.end(), parent->channels->rank());
  return ncclCommInitRank(newcomm, static_cast<int>(ranks.size()),
                          parts[static_cast<size_t>(ranks.front())].id,
                          static_cast<int>(place - ranks.begin()));
}

int ncclRedOpCreatePreMulSum(int *op, const void *scalar, int datatype, int residence, void *comm) {
  Communicator *communicator = known(comm);
  if (!communicator || !op || !scalar || !bytesOf(datatype) || residence < 0 || residence > 1)
    return invalidArgument;
  OwnOperation own;
  own.type = datatype;
  if (residence == 0) // ncclScalarDevice
    own.onDevice = scalar;
  else
    std::memcpy(own.value, scalar, bytesOf(datatype));
  communicator->own.push_back(own);
  *op = firstOwnOperation + static_cast<int>(communicator->own.size()) - 1;
  return ok;
}

int ncclRedOpDestroy(int op, void *comm) {
  OwnOperation *own = known(comm) ? known(comm)->find(op) : nullptr;
  if (!own)
    return invalidArgument;
  own->type = -1;
  return ok;
}

int ncclCommFinalize(void *comm) { return known(comm) ? ok : invalidArgument; }
int ncclCommDestroy(void *comm) { return communicators().destroy(comm) ? ok : invalidArgument; }
int ncclCommAbort(void *comm) { return ncclCommDestroy(comm); }

// All memory is alike here, so that nothing is to be done for an array that is known before.
int ncclMemAlloc(void **ptr, size_t size) {
  if (!ptr)
    return invalidArgument;
  return api().cudaMalloc(ptr, size) == success ? ok : unhandledCudaError;
}
int ncclMemFree(void *ptr) { return api().cudaFree(ptr) == success ? ok : unhandledCudaError; }
// Messages of errors end the program or are in the results.
const char *ncclGetLastError(void *) { return ""; }

int ncclCommCount(void *comm, int *count) {
  if (!known(comm) || !count)
    return invalidArgument;
  *count = known(comm)->channels->size();
  return ok;
}

int ncclCommCuDevice(void *comm, int *count) {
  if (!known(comm) || !count)
    return invalidArgument;
  *count = known(comm)->device;
  return ok;
}

int ncclCommUserRank(void *comm, int *count) {
  if (!known(comm) || !count)
    return invalidArgument;
  *count = known(comm)->channels->rank();
  return ok;
}

int ncclCommGetAsyncError(void *comm, int *asyncerror) {
  if (!known(comm) || !asyncerror)
    return invalidArgument;
  *asyncerror = ok;
  return ok;
}

int ncclGroupStart() {
  ++depth;
  return ok;
}

int ncclGroupEnd() {
  if (!depth)
    return invalidUsage;
  if (--depth)
    return ok;
  std::vector<Operation> operations = std::move(gathered);
  gathered.clear();
  return runAll(operations);
}

int ncclAllReduce(const void *sendbuff, void *recvbuff, size_t count, int datatype, int op,
                  void *comm, void *stream) {
  if (!known(comm) || !bytesOf(datatype) || !known(comm)->knows(op, datatype))
    return invalidArgument;
  return allReduce(known(comm), sendbuff, recvbuff, count, datatype, op, 0, stream);
}

int ncclReduce(const void *sendbuff, void *recvbuff, size_t count, int datatype, int op, int root,
               void *comm, void *stream) {
  if (!isRank(known(comm), root) || !bytesOf(datatype) || !known(comm)->knows(op, datatype))
    return invalidArgument;
  return toRoot(known(comm), sendbuff, recvbuff, count, datatype, op, root, stream);
}

int ncclBroadcast(const void *sendbuff, void *recvbuff, size_t count, int datatype, int root,
                  void *comm, void *stream) {
  if (!isRank(known(comm), root) || !bytesOf(datatype))
    return invalidArgument;
  return fromRoot(known(comm), sendbuff, recvbuff, count, datatype, root, stream);
}

int ncclBcast(void *buff, size_t count, int datatype, int root, void *comm, void *stream) {
  return ncclBroadcast(buff, buff, count, datatype, root, comm, stream);
}

int ncclAllGather(const void *sendbuff, void *recvbuff, size_t sendcount, int datatype, void *comm,
                  void *stream) {
  if (!known(comm) || !bytesOf(datatype))
    return invalidArgument;
  size_t bytes = sendcount * bytesOf(datatype);
  Operation operation = exchange(known(comm), static_cast<const char *>(sendbuff), bytes, 0);
  operation.finish = [=, parts = operation.parts] {
    std::memcpy(recvbuff, parts->data(), parts->size());
  };
  return submit(stream, std::move(operation));
}

int ncclReduceScatter(const void *sendbuff, void *recvbuff, size_t recvcount, int datatype, int op,
                      void *comm, void *stream) {
  if (!known(comm) || !bytesOf(datatype) || !known(comm)->knows(op, datatype))
    return invalidArgument;
  return allReduce(known(comm), sendbuff, recvbuff, recvcount, datatype, op,
                   recvcount * bytesOf(datatype), stream);
}

int ncclSend(const void *sendbuff, size_t count, int datatype, int peer, void *comm, void *stream) {
  if (!isRank(known(comm), peer) || !bytesOf(datatype))
    return invalidArgument;
  return message(known(comm), true, const_cast<void *>(sendbuff), count, datatype, peer, stream);
}

int ncclRecv(void *recvbuff, size_t count, int datatype, int peer, void *comm, void *stream) {
  if (!isRank(known(comm), peer) || !bytesOf(datatype))
    return invalidArgument;
  return message(known(comm), false, recvbuff, count, datatype, peer, stream);
}

const char *ncclGetErrorString(int code) {
  static const char *const texts[] = {"no error",
                                      "a CUDA function failed",
                                      "a function of the system failed",
                                      "an operation inside the library failed",
                                      "an argument is not right",
                                      "the library was called in a way that it does not allow",
                                      "another process ended, or the network failed",
                                      "the work has begun and has not ended"};
  bool isKnown = code >= 0 && code < static_cast<int>(std::size(texts));
  return isKnown ? texts[code] : "unknown result";
}

} // namespace cufrt::nccl
