// A device buffer of an MPI call: given to the library as it is, and kept accessible, or as a copy
// in host memory. Bytes that belong to no element are neither read nor written.
//
// The copy has the same gaps, so that counts, datatypes and displacements stay as they are, and so
// does the message. Where each block has a count and a datatype that consists of one basic
// datatype, the copy may be the packed messages: that number of basic elements has the same
// signature, so that the other side may have any datatype of that signature.
//
// The copy is pinned, and taken from a pool. Copies of what the program has sent wait for the work
// before the call in the stream that the buffer or the thread has (core/default_stream.h), by
// default the default stream.
#ifndef CUFRT_MPI_STAGING_H
#define CUFRT_MPI_STAGING_H

#include "core/foreign_access.h"
#include "mpi/copies.h"
#include "mpi/layout.h"
#include "mpi/order.h"

#include <limits>
#include <utility>

namespace cufrt::mpi {

inline constexpr size_t everything = std::numeric_limits<size_t>::max();

// Host memory that the call under way owns, or none.
class Block {
public:
  Block() = default;
  // `sparse`: little of it will be touched; memory that costs nothing until then is taken.
  Block(size_t bytes, bool sparse, const char *call);
  Block(Block &&other) noexcept { swap(other); }
  Block &operator=(Block &&other) noexcept {
    swap(other);
    return *this;
  }
  Block(const Block &) = delete;
  ~Block();

  char *memory() const { return start; }

private:
  void swap(Block &other) noexcept {
    std::swap(start, other.start);
    std::swap(bytes, other.bytes);
    std::swap(isMapped, other.isMapped);
  }

  char *start = nullptr;
  size_t bytes = 0;
  bool isMapped = false;
};

// An address of the program's and where it leads. Asking the driver takes a good part of a
// microsecond, so that a call asks once for each buffer.
struct PlacedAddress {
  PlacedAddress(void *address)
      : address(address), place(placeOf(address)) {} // NOLINT(*-explicit-*)

  void *address;
  MemoryPlace place;
};

// Whether a buffer's address needs no thought: it is host memory and not MPI_BOTTOM, or the library
// takes it.
bool isOrdinary(const PlacedAddress &buffer);

class Buffer {
public:
  // `in` is what the call reads of it, `out` what it writes. With `mostPacked`, both are the same
  // parts, or one is empty, and it may be packed if no count and no displacement comes to be more.
  Buffer(const char *call, const PlacedAddress &placed, Parts in, Parts out, size_t mostPacked = 0);
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  Buffer(const Buffer &) = delete;
  ~Buffer();

  // What the library is given.
  void *address() const { return given; }

  bool isStaged() const { return given != user; }
  bool isPacked() const { return !packed.empty(); }

  // The packed message of each part, `offset` bytes behind the address.
  struct Elements {
    size_t count;
    Handle datatype;
    size_t offset;
  };
  const std::vector<Elements> &packedAs() const { return packed; }
  bool isHeld() const { return !held.empty(); } // or kept accessible
  bool reads() const { return !in.empty(); }
  bool writes() const { return !out.empty(); }

  // Brings what the call reads to host memory.
  void fetch(Copies &copies) const { copy(copies, in, everything, given, true); }
  void fetch(Copies &copies, const Parts &parts) const {
    copy(copies, parts, everything, given, true);
  }
  void fetchTo(Copies &copies, char *host) const { copy(copies, in, everything, host, true); }

  // The call only begins to receive: what it receives is brought to the device behind the work up
  // to now.
  void noteOrder();

  // Brings what the call has written to the device: the first `bytes` bytes of the data.
  void deliver(Copies &copies, size_t bytes) const { copy(copies, out, bytes, given, false); }
  void deliver(Copies &copies, const Parts &parts) const {
    copy(copies, parts, everything, given, false);
  }
  void deliverFrom(Copies &copies, char *host, const Parts &parts) const {
    copy(copies, parts, everything, host, false);
  }

  const Parts &written() const { return out; }
  const Parts &read() const { return in; }

private:
  void stage(size_t mostPacked);
  bool pack(size_t most);
  void hold();
  void copy(Copies &copies, const Parts &parts, size_t bytes, char *host, bool toHost) const;

  const char *call;
  char *user;
  char *given;
  Parts in, out;
  std::vector<Elements> packed;
  Block block;
  MemoryPlace place{};
  Place begun;
  std::vector<const void *> held; // addresses that beginAccess has been called for
};

using Buffers = std::vector<Buffer>;

} // namespace cufrt::mpi
#endif // CUFRT_MPI_STAGING_H
