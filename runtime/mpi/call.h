// One call of a procedure with device buffers, as the generated entries make it:
//
//   Call call("MPI_Send");
//   buf = call.add(buf, elements(...), {});   for each buffer: what is read, what is written
//   call.begin();
//   pmpi_send_(buf, ...);               a message may be packed: with another count and datatype
//   call.finish(ierror);                      or what else becomes of the buffers
//
// The buffers of a call that only begins something are kept with its request, window or file until
// the call that completes it.
#ifndef CUFRT_MPI_CALL_H
#define CUFRT_MPI_CALL_H

#include "mpi/operations.h"
#include "mpi/shapes.h"
#include "mpi/staging.h"

namespace cufrt::mpi {

// The status of a call: the program's, or one of our own where it gave MPI_STATUS_IGNORE.
class Status {
public:
  explicit Status(void *given);
  int *data() { return chosen; }

private:
  static constexpr int largest = 64; // integers
  int own[largest];
  int *chosen;
};

// Bytes of the message that a status tells of.
size_t bytesOf(const int *status);

// What the library is told of a buffer with one count and one datatype: the program's, or those of
// the packed message.
template <typename Count>
struct Message {
  Count count;
  Handle datatype;
};

// Of a buffer with blocks that each have their own: likewise, valid as long as the call's
// operation.
template <typename Count, typename Displacement>
struct Messages {
  Count *counts;
  Displacement *displacements;
  Handle *datatypes;
  int blocks;
};

class Call {
public:
  explicit Call(const char *name) { operation.call = name; }

  const char *name() const { return operation.call; }

  // For buffers that stay with the library: they are kept by the caller.
  Operation take() { return std::move(operation); }

  // Returns what the library is given in place of the address.
  void *add(const PlacedAddress &placed, Parts in, Parts out);
  template <typename Count>
  void *add(const PlacedAddress &placed, Parts in, Parts out, Message<Count> &message);
  template <typename Count, typename Displacement>
  void *add(const PlacedAddress &placed, Parts in, Parts out,
            Messages<Count, Displacement> &messages);

  // Ends the program with a message: this procedure cannot have device memory there unless the
  // library takes it.
  void *addUnstaged(const PlacedAddress &placed);

  void begin();

  // The status will tell how much has been written. It is all otherwise.
  void readsStatus() { operation.isCounted = true; }

  void finish(const int *error, const int *status = nullptr);
  void finishBytes(const int *error, int64_t bytes);          // the first bytes were written
  void keepWithRequest(const int *error, const int *request); // it is under way
  void keepPersistent(const int *error, const int *request);  // MPI_Start will begin it
  void keepPartitioned(const int *error, const int *request, int partitions);
  void keepWithWindow(const int *error, Handle window, int target);
  void keepWithFile(const int *error, Handle file);

private:
  const Buffer &addBuffer(const PlacedAddress &placed, Parts in, Parts out, size_t mostPacked);
  bool mustBeKept(const int *error) const;

  Operation operation;
};

// The library lacks this procedure: ends the program with a message.
[[noreturn]] void missing(const char *name);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_CALL_H
