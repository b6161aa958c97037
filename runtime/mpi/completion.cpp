// Completing what was begun: the procedures of MPI that wait for requests, test, start and free
// them. Where no request has a device buffer they go straight on. Otherwise the requests are noted
// before the call, which changes them, and what was received is brought to the device after it.
#include "core/settings.h"
#include "mpi/call.h"
#include "mpi/pmpi.h" // generated
#include "report/report.h"

#include <algorithm>

using namespace cufrt::mpi;

namespace {

// An ierror that the caller left out.
class Error {
public:
  explicit Error(int *given) : chosen(given ? given : &own) {}
  int *data() { return chosen; }
  operator int() const { return *chosen; }

private:
  int own = noError;
  int *chosen;
};

// An array of statuses, the program's or our own.
class Statuses {
public:
  Statuses(void *given, int count) : chosen(static_cast<int *>(given)) {
    auto length = static_cast<size_t>(valueOf(Constant::statusSize));
    if (given && !is(Sentinel::statusesIgnore, given) && !is(Sentinel::statusIgnore, given))
      return;
    own.resize(length * static_cast<size_t>(std::max(count, 1)));
    chosen = own.data();
  }
  int *data() { return chosen; }
  int *at(int index) {
    return chosen + static_cast<ptrdiff_t>(index) * valueOf(Constant::statusSize);
  }

private:
  std::vector<int> own;
  int *chosen;
};

std::vector<Handle> copyOf(const int *requests, int count) {
  return {requests, requests + std::max(count, 0)};
}

// What requests that have ended leave to be done: all that they have received goes to the device at
// once, and is there when this is destroyed.
class Completion {
public:
  Completion() = default;
  Completion(const Completion &) = delete;
  ~Completion() {
    copies.finish();
    while (!ended.empty())
      ended.pop_back(); // the last first: the next calls get their memory in the same order
  }

  // The operation of this request has ended, with success or not.
  void add(Handle request, const int *status, bool succeeded) {
    Operation *operation = findOperation(request);
    if (!operation)
      return;
    if (operation->isPersistent) {
      if (operation->isActive && succeeded)
        operation->deliver(copies, status);
      operation->isActive = false;
    } else if (std::optional<Operation> taken = takeOperation(request)) {
      ended.push_back(std::move(*taken));
      if (succeeded)
        ended.back().deliver(copies, status);
    }
  }

  // Of several requests: with MPI_ERR_IN_STATUS the statuses tell which have ended and how.
  void addOneOf(Handle request, const int *status, int error) {
    if (error == noError)
      return add(request, status, true);
    if (error != valueOf(Constant::errInStatus))
      return;
    int own = status[valueOf(Constant::error) - 1];
    if (own != valueOf(Constant::errPending))
      add(request, status, own == noError);
  }

private:
  Copies copies;
  std::vector<Operation> ended;
};

void complete(Handle request, const int *status, bool succeeded) {
  Completion().add(request, status, succeeded);
}

// Begins a persistent operation: what is sent must be in host memory first. Partitions are brought
// there as they become ready.
void begin(Copies &copies, Handle request) {
  Operation *operation = findOperation(request);
  if (!operation)
    return;
  operation->isActive = true;
  operation->isDelivered = operation->isCancelled = false;
  operation->arrived.clear();
  operation->noteOrder();
  if (operation->partitions == 0)
    for (const Buffer &buffer : operation->buffers)
      buffer.fetch(copies);
}

void fetchPartitions(Handle request, int first, int last) {
  const Operation *operation = anyOperation() ? findOperation(request) : nullptr;
  Copies copies;
  for (int i = first; operation && i <= last && i < operation->partitions; ++i)
    operation->fetchPartition(copies, i);
  copies.finish();
}

} // namespace

extern "C" {

void cufrt_pmpi_wait_(int *request, void *status, int *ierror) {
  Error error(ierror);
  if (!anyOperation())
    return pmpi_wait_(request, status, error.data());
  Status chosen(status);
  Handle before = *request;
  pmpi_wait_(request, chosen.data(), error.data());
  complete(before, chosen.data(), error == noError);
}

void cufrt_pmpi_test_(int *request, int *flag, void *status, int *ierror) {
  Error error(ierror);
  if (!anyOperation())
    return pmpi_test_(request, flag, status, error.data());
  Status chosen(status);
  Handle before = *request;
  pmpi_test_(request, flag, chosen.data(), error.data());
  if (error != noError || *flag)
    complete(before, chosen.data(), error == noError);
}

void cufrt_pmpi_waitany_(int *count, int *requests, int *index, void *status, int *ierror) {
  Error error(ierror);
  if (!anyOperation())
    return pmpi_waitany_(count, requests, index, status, error.data());
  Status chosen(status);
  std::vector<Handle> before = copyOf(requests, *count);
  pmpi_waitany_(count, requests, index, chosen.data(), error.data());
  if (*index >= 1 && *index <= *count)
    complete(before[static_cast<size_t>(*index) - 1], chosen.data(), error == noError);
}

void cufrt_pmpi_testany_(int *count, int *requests, int *index, int *flag, void *status,
                         int *ierror) {
  Error error(ierror);
  if (!anyOperation())
    return pmpi_testany_(count, requests, index, flag, status, error.data());
  Status chosen(status);
  std::vector<Handle> before = copyOf(requests, *count);
  pmpi_testany_(count, requests, index, flag, chosen.data(), error.data());
  if (*flag && *index >= 1 && *index <= *count)
    complete(before[static_cast<size_t>(*index) - 1], chosen.data(), error == noError);
}

void cufrt_pmpi_waitall_(int *count, int *requests, void *statuses, int *ierror) {
  Error error(ierror);
  if (!anyOperation())
    return pmpi_waitall_(count, requests, statuses, error.data());
  Statuses chosen(statuses, *count);
  std::vector<Handle> before = copyOf(requests, *count);
  pmpi_waitall_(count, requests, chosen.data(), error.data());
  Completion completion;
  for (int i = 0; i < *count; ++i)
    completion.addOneOf(before[static_cast<size_t>(i)], chosen.at(i), error);
}

void cufrt_pmpi_testall_(int *count, int *requests, int *flag, void *statuses, int *ierror) {
  Error error(ierror);
  if (!anyOperation())
    return pmpi_testall_(count, requests, flag, statuses, error.data());
  Statuses chosen(statuses, *count);
  std::vector<Handle> before = copyOf(requests, *count);
  pmpi_testall_(count, requests, flag, chosen.data(), error.data());
  if (error == noError && !*flag)
    return;
  Completion completion;
  for (int i = 0; i < *count; ++i)
    completion.addOneOf(before[static_cast<size_t>(i)], chosen.at(i), error);
}

void cufrt_pmpi_waitsome_(int *count, int *requests, int *done, int *indices, void *statuses,
                          int *ierror) {
  Error error(ierror);
  if (!anyOperation())
    return pmpi_waitsome_(count, requests, done, indices, statuses, error.data());
  Statuses chosen(statuses, *count);
  std::vector<Handle> before = copyOf(requests, *count);
  pmpi_waitsome_(count, requests, done, indices, chosen.data(), error.data());
  Completion completion;
  for (int i = 0; *done != valueOf(Constant::undefined) && i < *done; ++i)
    completion.addOneOf(before[static_cast<size_t>(indices[i]) - 1], chosen.at(i), error);
}

void cufrt_pmpi_testsome_(int *count, int *requests, int *done, int *indices, void *statuses,
                          int *ierror) {
  Error error(ierror);
  if (!anyOperation())
    return pmpi_testsome_(count, requests, done, indices, statuses, error.data());
  Statuses chosen(statuses, *count);
  std::vector<Handle> before = copyOf(requests, *count);
  pmpi_testsome_(count, requests, done, indices, chosen.data(), error.data());
  Completion completion;
  for (int i = 0; *done != valueOf(Constant::undefined) && i < *done; ++i)
    completion.addOneOf(before[static_cast<size_t>(indices[i]) - 1], chosen.at(i), error);
}

// The request stays; what was received must be in place already.
void cufrt_pmpi_request_get_status_(int *request, int *flag, void *status, int *ierror) {
  Error error(ierror);
  Operation *operation = anyOperation() ? findOperation(*request) : nullptr;
  if (!operation)
    return pmpi_request_get_status_(request, flag, status, error.data());
  Status chosen(status);
  pmpi_request_get_status_(request, flag, chosen.data(), error.data());
  if (error == noError && *flag && operation->isActive)
    operation->deliver(chosen.data());
}

// An operation that is under way is kept here until it ends, since it needs its host memory.
void cufrt_pmpi_request_free_(int *request, int *ierror) {
  Error error(ierror);
  const Operation *operation = anyOperation() ? findOperation(*request) : nullptr;
  if (operation && operation->isActive) {
    detachOperation(*request);
    *request = valueOf(Constant::requestNull);
    *error.data() = noError;
    return;
  }
  Handle before = *request;
  pmpi_request_free_(request, error.data());
  if (operation && error == noError)
    takeOperation(before);
}

void cufrt_pmpi_cancel_(int *request, int *ierror) {
  Error error(ierror);
  if (Operation *operation = anyOperation() ? findOperation(*request) : nullptr)
    operation->isCancelled = true;
  pmpi_cancel_(request, error.data());
}

void cufrt_pmpi_start_(int *request, int *ierror) {
  Error error(ierror);
  if (anyOperation()) {
    Copies copies;
    begin(copies, *request);
    copies.finish();
  }
  pmpi_start_(request, error.data());
}

void cufrt_pmpi_startall_(int *count, int *requests, int *ierror) {
  Error error(ierror);
  Copies copies;
  for (int i = 0; anyOperation() && i < *count; ++i)
    begin(copies, requests[i]);
  copies.finish();
  pmpi_startall_(count, requests, error.data());
}

void cufrt_pmpi_pready_(int *partition, int *request, int *ierror) {
  Error error(ierror);
  if (!pmpi_pready_)
    missing("MPI_Pready");
  fetchPartitions(*request, *partition, *partition);
  pmpi_pready_(partition, request, error.data());
}

void cufrt_pmpi_pready_range_(int *first, int *last, int *request, int *ierror) {
  Error error(ierror);
  if (!pmpi_pready_range_)
    missing("MPI_Pready_range");
  fetchPartitions(*request, *first, *last);
  pmpi_pready_range_(first, last, request, error.data());
}

void cufrt_pmpi_pready_list_(int *length, int *partitions, int *request, int *ierror) {
  Error error(ierror);
  if (!pmpi_pready_list_)
    missing("MPI_Pready_list");
  for (int i = 0; i < *length; ++i)
    fetchPartitions(*request, partitions[i], partitions[i]);
  pmpi_pready_list_(length, partitions, request, error.data());
}

void cufrt_pmpi_parrived_(int *request, int *partition, int *flag, int *ierror) {
  Error error(ierror);
  if (!pmpi_parrived_)
    missing("MPI_Parrived");
  pmpi_parrived_(request, partition, flag, error.data());
  Operation *operation = anyOperation() ? findOperation(*request) : nullptr;
  if (!operation || error != noError || !*flag)
    return;
  Copies copies;
  operation->deliverPartition(copies, *partition);
  copies.finish();
}

void cufrt_pmpi_finalize_(int *ierror) {
  Error error(ierror);
  completeDetached(true);
  pmpi_finalize_(error.data());
}

// Libraries of MPI end the process without its handlers.
void cufrt_pmpi_abort_(int *comm, int *code, int *ierror) {
  Error error(ierror);
  if (cufrt::settings().report)
    cufrt::report::finishBeforeAbort();
  pmpi_abort_(comm, code, error.data());
}

} // extern "C"
