// The head travels alone with the file, since ancillary data belongs to the bytes it is sent with.
#include "service/frames.h"
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace cufc {
namespace {

struct Head {
  FrameKind kind;
  std::uint32_t id;
  std::int32_t status;
  std::uint32_t size;
  std::uint32_t hasFile;
};

union Control {
  cmsghdr align;
  char bytes[CMSG_SPACE(sizeof(int))];
};

// Whether to try again after a call that sent nothing.
bool again(const std::function<bool()> &full) {
  if (errno == EINTR)
    return true;
  return (errno == EAGAIN || errno == EWOULDBLOCK) && full && full();
}

bool sendHead(int socket, Head head, int file, const std::function<bool()> &full) {
  iovec part{&head, sizeof head};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Control control{};
  if (file >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  ssize_t sent = 0;
  int flags = MSG_NOSIGNAL | (full ? MSG_DONTWAIT : 0);
  while ((sent = sendmsg(socket, &message, flags)) < 0 && again(full)) {
  }
  return sent == static_cast<ssize_t>(sizeof head);
}

// A worker that is gone must not end the caller by SIGPIPE.
bool sendBytes(int socket, std::string_view bytes, const std::function<bool()> &full) {
  int flags = MSG_NOSIGNAL | (full ? MSG_DONTWAIT : 0);
  while (!bytes.empty()) {
    ssize_t n = send(socket, bytes.data(), bytes.size(), flags);
    if (n < 0 && again(full))
      continue;
    if (n <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool receiveHead(int socket, Head &head, int &file) {
  iovec part{&head, sizeof head};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Control control{};
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  ssize_t got = 0;
  while ((got = recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (got != static_cast<ssize_t>(sizeof head))
    return false;
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS)
    std::memcpy(&file, CMSG_DATA(header), sizeof file);
  return true;
}

} // namespace

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool readAll(int descriptor, char *bytes, size_t size) {
  while (size > 0) {
    ssize_t n = read(descriptor, bytes, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    bytes += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool sendFrame(int socket, const Frame &frame, const std::function<bool()> &full) {
  Head head{frame.kind, frame.id, frame.status, static_cast<std::uint32_t>(frame.payload.size()),
            frame.file >= 0};
  return sendHead(socket, head, frame.file, full) && sendBytes(socket, frame.payload, full);
}

bool receiveFrame(int socket, Frame &frame) {
  Head head{};
  frame.file = -1;
  if (!receiveHead(socket, head, frame.file))
    return false;
  frame.kind = head.kind;
  frame.id = head.id;
  frame.status = head.status;
  frame.payload.resize(head.size);
  return readAll(socket, frame.payload.data(), head.size);
}

} // namespace cufc
