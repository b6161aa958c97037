// What is under way: the buffers of nonblocking and persistent operations by their requests, of
// split collective operations by their files, of one-sided operations by their windows. A mutex
// guards each table; copies are made outside of it.
#ifndef CUFRT_MPI_OPERATIONS_H
#define CUFRT_MPI_OPERATIONS_H

#include "mpi/staging.h"

#include <optional>

namespace cufrt::mpi {

struct Operation {
  const char *call = nullptr;
  Buffers buffers;
  std::vector<std::shared_ptr<void>> arrays; // of counts and the like, that the library still reads
  bool isCounted = false;                    // the status says how much has been written
  bool isPersistent = false;
  bool isActive = true;     // a persistent one is between MPI_Start and its completion
  bool isCancelled = false; // MPI_Cancel was called for it
  bool isDelivered = false; // its data have been brought to the device already
  int partitions = 0;       // of partitioned messages
  std::vector<bool> arrived;

  // It has begun: what it receives comes behind the device's work up to now.
  void noteOrder();

  // Brings what was written to the device, `status` permitting; null if all was written. It must
  // stay until the copies are complete.
  void deliver(Copies &copies, const int *status);
  void deliver(const int *status);

  // One partition of it.
  void fetchPartition(Copies &copies, int partition) const;
  void deliverPartition(Copies &copies, int partition);
};

// Whether the table of requests holds any. Without, requests need no look.
bool anyOperation();

void addOperation(Handle request, Operation operation);

// The operation of a request, or null; a persistent one stays in place until it is taken.
Operation *findOperation(Handle request);
std::optional<Operation> takeOperation(Handle request);

// A request that the program has freed while the operation was under way: it is completed here, of
// those that have ended when the next one is freed.
void detachOperation(Handle request);
void completeDetached(bool waits);

void addToFile(Handle file, Operation operation);
std::optional<Operation> takeFromFile(Handle file);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_OPERATIONS_H
