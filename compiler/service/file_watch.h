// Tells when files come, go or change, also in folders that are not there yet. Not for whole trees:
// a watch of the kernel is on the folder of each file.
#ifndef CUFC_SERVICE_FILE_WATCH_H
#define CUFC_SERVICE_FILE_WATCH_H

#include <map>
#include <set>
#include <string>

namespace cufc {

class FileWatch {
public:
  FileWatch();
  ~FileWatch();
  FileWatch(const FileWatch &) = delete;
  FileWatch &operator=(const FileWatch &) = delete;

  // Absolute paths, in place of those before. A file's state counts from when it was first given.
  void watch(const std::set<std::string> &files);
  // Readable when `changed` should be called; negative if the kernel gives no watches.
  int descriptor() const { return notifications; }
  // The files that are not as they were at the last call. Does not wait.
  std::set<std::string> changed();

private:
  struct State {
    long long seconds = 0, nanoseconds = 0, bytes = -1; // -1: it is not there
    unsigned long long number = 0;
    bool operator==(const State &) const = default;
  };
  static State stateOf(const std::string &path);
  void watchFolders();

  const int notifications;
  std::map<std::string, State> files;
  std::map<std::string, int> folders; // watched; the numbers are inotify's
};

} // namespace cufc
#endif // CUFC_SERVICE_FILE_WATCH_H
