// The order between the device's work and the copies of what a nonblocking call has received.
//
// A copy must come behind the work that was there when the call was made, and need not wait for
// what the program has launched since: that work does not use the buffer. So the call notes where
// the buffer's stream was, and the copy goes through a stream of its own that waits for that place
// only.
#ifndef CUFRT_MPI_ORDER_H
#define CUFRT_MPI_ORDER_H

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

  explicit operator bool() const { return isReached || event; }

  // Behind all work of the stream so far. Stays none if the device cannot tell.
  void note(void *stream);

  // A stream of the current device, numbered `device`, whose next work comes behind this place;
  // null if there is none. It need not wait where the device has been there already. `own`, in
  // which the place was noted, is that stream if it has no work: one stream less for the device to
  // change between.
  void *streamBehind(int device, void *own) const;

private:
  void swap(Place &other) {
    std::swap(event, other.event);
    std::swap(isReached, other.isReached);
  }

  void *event = nullptr;
  bool isReached = false; // when it was noted: the event says nothing
};

// After cudaDeviceReset: no stream is valid any more.
void forgetOrder();

} // namespace cufrt::mpi
#endif // CUFRT_MPI_ORDER_H
