// Looks through a large folder in a process of its own, which can be ended at any time: what it has
// found is kept (project/kept_scan.h), so the next one goes on from there.
#ifndef CUFLS_HOST_FOLDER_SCAN_H
#define CUFLS_HOST_FOLDER_SCAN_H

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <string>

namespace cufc {

class FolderScan {
public:
  // Changed: against what was kept before. Killed: who knows.
  enum class Result { Same, Changed, Killed };
  using Ended = std::function<void(const std::string &folder, Result)>;
  FolderScan(asio::io_context &loop, Ended ended) : loop(loop), ended(std::move(ended)) {}
  ~FolderScan() { cancel(); }
  FolderScan(const FolderScan &) = delete;
  FolderScan &operator=(const FolderScan &) = delete;

  void start(const std::string &folder, const std::string &kept);
  void cancel(); // `ended` is not called
  bool running() const { return process > 0; }

private:
  void finish();

  asio::io_context &loop;
  Ended ended;
  std::string folder;
  std::shared_ptr<asio::posix::stream_descriptor> pipe;
  char byte = 0;
  pid_t process = -1;
};

} // namespace cufc
#endif // CUFLS_HOST_FOLDER_SCAN_H
