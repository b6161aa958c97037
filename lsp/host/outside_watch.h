// Files that no client tells of: modules from outside and included files on which analyses of the
// workspace depend, there or not (service/outside_files.h).
#ifndef CUFLS_HOST_OUTSIDE_WATCH_H
#define CUFLS_HOST_OUTSIDE_WATCH_H

#include "service/file_watch.h"
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cufc {

class OutsideWatch {
public:
  // `changed` gets the sources that depend on files which have changed, some time after the last of
  // these changes: a build writes many files.
  OutsideWatch(asio::io_context &loop,
               std::function<void(const std::set<std::string> &sources)> changed);
  ~OutsideWatch();

  // On which files a source depends now. False if they are the same as before.
  bool set(const std::string &source, const std::vector<std::string> &files);

private:
  void wait();
  void take();
  void watchLater();

  std::function<void(const std::set<std::string> &)> changed;
  FileWatch files;
  asio::posix::stream_descriptor events; // the watch's own, which this does not close
  asio::steady_timer quiet, later;
  bool planned = false;                               // that `files` gets the present list
  std::map<std::string, std::set<std::string>> users; // sources by file
  std::map<std::string, std::vector<std::string>> filesOf;
};

} // namespace cufc
#endif // CUFLS_HOST_OUTSIDE_WATCH_H
