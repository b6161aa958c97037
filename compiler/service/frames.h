// Messages over a stream socket: a head, a payload, and perhaps an open file. Both ends of a
// worker's socket use it.
#ifndef CUFC_SERVICE_FRAMES_H
#define CUFC_SERVICE_FRAMES_H

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cufc {

enum class FrameKind : std::uint32_t {
  Analyse,  // to the worker: a request; the file is where the result goes
  Measure,  // to the worker: a request for what kernels cost; the file as above
  Cancel,   // to the worker
  Snapshot, // to the worker: a request whose text names modules; the file is the new worker's
            // socket
  Started,  // from a new worker: its process number as the status
  Ended,    // from the worker: the status of waitpid, and the stage after a crash
};

struct Frame {
  FrameKind kind = FrameKind::Ended;
  std::uint32_t id = 0;
  std::int32_t status = 0;
  std::string payload;
  int file = -1; // belongs to the receiver
};

// A result on its pipe is its size, with this bit if none follows, and its bytes.
constexpr std::uint64_t lastResult = std::uint64_t(1) << 63;

// False if the other end is gone. The sender keeps its `file`. While the other end takes nothing,
// `full` is called again and again, if there is one, instead of waiting; it returns false to give
// up.
bool sendFrame(int socket, const Frame &frame, const std::function<bool()> &full = {});

// Waits for a whole frame. False at the end of the stream.
bool receiveFrame(int socket, Frame &frame);

// Whole buffers on pipes and sockets; false on errors and at the end.
bool writeAll(int descriptor, std::string_view bytes);
bool readAll(int descriptor, char *bytes, size_t size);

} // namespace cufc
#endif // CUFC_SERVICE_FRAMES_H
