// The order between the device's work and the copies of what a nonblocking call has received.
//
// A copy must come behind the work that was there when the call was made, and need not wait for
// what the program has launched since: that work does not use the buffer. So the call notes where
// the buffer's stream was, and the copy goes through a stream of its own that waits for that place
// only.
//
// Most programs launch nothing between the two. The copy goes through the buffer's stream then,
// which is right in any case: a second stream costs a GPU that several ranks share 30 us a message,
// and the question where the stream is 2 us. The first time that kernels are launched in between,
// the copy waits for them; from then on places are noted.
#ifndef CUFRT_MPI_ORDER_H
#define CUFRT_MPI_ORDER_H

#include <cstdint>
#include <utility>

namespace cufrt::mpi {

// A place in a stream, or none.
class Place {
public:
  Place() = default;
  Place(Place &&other) noexcept { swap(other); }
  Place &operator=(Place &&other) noexcept {
    swap(other);
    return *this;
  }
  Place(const Place &) = delete;
  ~Place();

  explicit operator bool() const { return isNoted; }

  // Behind all work of the stream so far.
  void note(void *stream);

  // A stream of the current device, numbered `device`, whose next work comes behind this place; it
  // need not wait where the device has been there already. Null if that is the stream in which the
  // place was noted.
  void *streamBehind(int device) const;

private:
  void swap(Place &other) {
    std::swap(event, other.event);
    std::swap(isReached, other.isReached);
    std::swap(isNoted, other.isNoted);
    std::swap(launches, other.launches);
  }

  void *event = nullptr;
  bool isReached = false; // when it was noted: the event says nothing
  bool isNoted = false;
  uint64_t launches = 0; // of kernels, until it was noted
};

// After cudaDeviceReset: no stream is valid any more.
void forgetOrder();

} // namespace cufrt::mpi
#endif // CUFRT_MPI_ORDER_H
